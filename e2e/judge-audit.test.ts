import { describe, expect, test } from 'vitest';
import { judgeAudit } from './judge-audit.mjs';

/** Returns a report in the format of npm 11. */
function report(...found: [name: string, severity: string][]): string {
  const vulnerabilities = found.map(([name, severity]) => {
    const via = [{ source: 1, name, title: 'Takes all memory', url: 'https://github.com/advisories/GHSA-1', severity }];
    return [name, { name, severity, isDirect: true, via: [...via, 'other'], effects: [], range: '<2.0.0', nodes: [] }];
  });
  return JSON.stringify({ auditReportVersion: 2, vulnerabilities: Object.fromEntries(vulnerabilities), metadata: {} });
}

describe('judgeAudit', () => {
  test.each([
    ['no advisories', report(), 'clean', /No known vulnerabilities/],
    ['a minor advisory', report(['tar', 'moderate']), 'clean', /moderate: tar <2\.0\.0 \(Takes all memory/],
    ['a severe advisory', report(['tar', 'low'], ['pg', 'high']), 'vulnerable', /high: pg <2\.0\.0 .*by other/],
    ['a critical advisory', report(['pg', 'critical']), 'vulnerable', /critical: pg/],
    [
      'a registry without advisories',
      '{"message": "405 Method Not Allowed - POST https://r/-/npm/v1/security", "statusCode": 405, "body": ""}',
      'unchecked',
      /returned no advisories.*405 Method Not Allowed/,
    ],
    [
      'no registry',
      '{"error": {"code": "ENOTFOUND", "summary": "getaddrinfo ENOTFOUND r"}}',
      'unchecked',
      /ENOTFOUND r/,
    ],
    ['no report', '', 'unchecked', /no response/],
    ['text instead of a report', 'npm error: no', 'unchecked', /npm error: no/],
    [
      'a report of another version',
      '{"auditReportVersion": 3, "vulnerabilities": {}}',
      'unchecked',
      /returned no advisories/,
    ],
  ])('%s', (_name, printed, state, expected) => {
    const judged = judgeAudit(printed);
    expect(judged.state).toBe(state);
    expect(judged.lines.join('\n')).toMatch(expected);
  });
});
