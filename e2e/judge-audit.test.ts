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
    ['no advisories', report(), 'clean', /Nothing is known/],
    ['a minor advisory', report(['tar', 'moderate']), 'clean', /moderate: tar <2\.0\.0 \(Takes all memory/],
    ['a severe advisory', report(['tar', 'low'], ['pg', 'high']), 'known', /high: pg <2\.0\.0 .*by other/],
    ['a critical advisory', report(['pg', 'critical']), 'known', /critical: pg/],
    [
      'a registry without advisories',
      '{"message": "405 Method Not Allowed - POST https://r/-/npm/v1/security", "statusCode": 405, "body": ""}',
      'unasked',
      /did not say.*405 Method Not Allowed/,
    ],
    ['no registry', '{"error": {"code": "ENOTFOUND", "summary": "getaddrinfo ENOTFOUND r"}}', 'unasked', /ENOTFOUND r/],
    ['no report', '', 'unasked', /no answer/],
    ['text instead of a report', 'npm error: no', 'unasked', /npm error: no/],
    ['a report of another version', '{"auditReportVersion": 3, "vulnerabilities": {}}', 'unasked', /did not say/],
  ])('%s', (_name, printed, state, told) => {
    const judged = judgeAudit(printed);
    expect(judged.state).toBe(state);
    expect(judged.told.join('\n')).toMatch(told);
  });
});
