import { randomUUID } from 'node:crypto';

/** What is told beside a line: ids, counts, names. Never a text of a person or a model. */
export type LogFacts = Readonly<Record<string, string | number | boolean | null>>;

/** A request as it is told. `path` is the pattern of its way in, `actor` the id of who asked: neither holds what somebody sent. */
type RequestLine = { method: string; path: string; status: number; ms: number; actor: string | null };

/** Where Hone says what goes on. Keys, tokens, passwords and links are taken out of all of it. */
export type Log = {
  info(line: string, facts?: LogFacts): void;
  warn(line: string, facts?: LogFacts): void;
  /** A request that was answered; lines for a person leave these out. */
  request(line: RequestLine): void;
  /** `thrown` is told with its stack. */
  error(line: string, thrown?: unknown, facts?: LogFacts): void;
};

declare global {
  // Pages, routes, the worker and the starter are module instances of their own; only `globalThis` is shared.
  var honeLog: Log | undefined;
}

/** The process's log: plain lines until the starter has set another. */
export function getLog(): Log {
  return globalThis.honeLog ?? plainLog;
}

export function setLog(log: Log): void {
  globalThis.honeLog = log;
}

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

/** Writes a bug to the log under a new id, without what looks like a key or a password, and answers the id. */
export function logBug(error: unknown): string {
  const id = randomUUID();
  getLog().error(`[${id}]`, error);
  return id;
}

const LONGEST = 4_000;

/**
 * Takes out keys by their common forms, passwords in addresses, authorization headers and cookies, secrets in queries, and the tokens
 * of links that let somebody in; keeps at most 4,000 characters.
 */
export function withoutSecrets(text: string): string {
  return text
    .slice(0, LONGEST)
    .replace(/\b(?:(?:sk|pk|rk|key|xai|gsk)[-_]|hone_|AIza)[-_A-Za-z0-9]{12,}/g, '[key]')
    .replace(/(\/join\/)[^\s/?#"']+/g, '$1[link]')
    .replace(/(\/\/)[^\s/@]+@/g, '$1[user]@')
    .replace(/\b((?:set-)?cookie"?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\r\n]+)/gi, '$1[cookie]')
    .replace(/\b(bearer|basic)\s+[^\s"',]+/gi, '$1 [token]')
    .replace(/([?&][\w.-]*(?:key|token|secret|password|signature|auth)[\w.-]*=)[^\s&#"']+/gi, '$1[secret]')
    .replace(/("?(?:api[-_]?key|password|secret|token)"?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,}&]+)/gi, '$1[secret]');
}

/** What was thrown, with its stack and without secrets. */
export function thrownText(thrown: unknown): string {
  return withoutSecrets(
    thrown instanceof Error ? (thrown.stack ?? `${thrown.name}: ${thrown.message}`) : String(thrown),
  );
}
