/** Severities that fail the tests, in npm's terms. */
const FAILING = ['high', 'critical'];

/**
 * Interprets the output of `npm audit --json`. `clean` and `known` mean that the registry responded; `unasked` means that it is unreachable
 * or has no advisories. `told` contains one line per finding for people.
 * @param {string} printed
 * @returns {{state: 'clean' | 'known' | 'unasked', told: string[]}}
 */
export function judgeAudit(printed) {
  const report = parse(printed);
  const found = report?.vulnerabilities;
  if (report?.auditReportVersion !== 2 || typeof found !== 'object' || found === null) {
    const reason = report?.message ?? report?.error?.summary ?? printed.slice(0, 300).trim();
    return {
      state: 'unasked',
      told: [`The registry did not say what is known of the packages: ${reason || 'no answer'}`],
    };
  }
  const all = Object.values(found);
  const told = all.map(
    ({ name, severity, range, via }) =>
      `${severity}: ${name} ${range} (${via.map((source) => (typeof source === 'string' ? `by ${source}` : `${source.title}, ${source.url}`)).join('; ')})`,
  );
  const fails = all.some(({ severity }) => FAILING.includes(severity));
  if (told.length === 0) told.push('Nothing is known against the packages that the app is made of.');
  return { state: fails ? 'known' : 'clean', told };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
