import type { Log, LogFacts } from './log.ts';
import { thrownText, withoutSecrets } from './without-secrets.ts';

/** Lines for a person at a terminal. */
export const plainLog: Log = {
  info: (line, facts) => console.log(`hone: ${withoutSecrets(line)}${inWords(facts)}`),
  warn: (line, facts) => console.warn(`hone: ${withoutSecrets(line)}${inWords(facts)}`),
  request: () => undefined,
  error: (line, thrown, facts) => {
    const cause = thrown === undefined ? '' : `: ${thrownText(thrown)}`;
    console.error(`hone: ${withoutSecrets(line)}${inWords(facts)}${cause}`);
  },
};

function inWords(facts: LogFacts = {}): string {
  const told = Object.entries(facts).map(([name, value]) => `${name} ${withoutSecrets(String(value))}`);
  return told.length === 0 ? '' : ` (${told.join(', ')})`;
}
