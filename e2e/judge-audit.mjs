/** Severities that fail the tests, in npm's terms. */
const FAILING = ['high', 'critical'];

/**
 * Interprets the output of `npm audit --json`. `clean` and `vulnerable` mean that the registry responded; `unchecked` means that it is
 * unreachable or has no advisories. `lines` contains one line per finding for people.
 * @param {string} printed
 * @returns {{state: 'clean' | 'vulnerable' | 'unchecked', lines: string[]}}
 */
export function judgeAudit(printed) {
  const report = parse(printed);
  const found = report?.vulnerabilities;
  if (report?.auditReportVersion !== 2 || typeof found !== 'object' || found === null) {
    const reason = report?.message ?? report?.error?.summary ?? printed.slice(0, 300).trim();
    return {
      state: 'unchecked',
      lines: [`The registry returned no advisories: ${reason || 'no response'}`],
    };
  }
  const all = Object.values(found);
  const lines = all.map(
    ({ name, severity, range, via }) =>
      `${severity}: ${name} ${range} (${via.map((source) => (typeof source === 'string' ? `by ${source}` : `${source.title}, ${source.url}`)).join('; ')})`,
  );
  const fails = all.some(({ severity }) => FAILING.includes(severity));
  if (lines.length === 0) lines.push('No known vulnerabilities.');
  return { state: fails ? 'vulnerable' : 'clean', lines };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
