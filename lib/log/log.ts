import { randomUUID } from 'node:crypto';

/** Structured data of a line: ids, counts, names. Never text of a person or a model. */
export type LogFacts = Readonly<Record<string, string | number | boolean | null>>;

/** Request as logged. `path` is the route pattern and `actor` the id of the caller, so neither contains data from the request. */
type RequestLine = { method: string; path: string; status: number; ms: number; actor: string | null };

/** Log of Hone. Keys, tokens, passwords and links are removed from every line. */
export type Log = {
  info(line: string, facts?: LogFacts): void;
  warn(line: string, facts?: LogFacts): void;
  /** Logs a completed request. The plain log omits these lines. */
  request(line: RequestLine): void;
  /** `thrown` is logged with its stack. */
  error(line: string, thrown?: unknown, facts?: LogFacts): void;
};

declare global {
  // Pages, routes, the worker and the starter are separate module instances that share only `globalThis`.
  var honeLog: Log | undefined;
}

/** Returns the process's log. It writes plain lines until the starter sets another log. */
export function getLog(): Log {
  return globalThis.honeLog ?? plainLog;
}

export function setLog(log: Log): void {
  globalThis.honeLog = log;
}

/** Log with plain lines for a terminal. */
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
  const details = Object.entries(facts).map(([name, value]) => `${name} ${withoutSecrets(String(value))}`);
  return details.length === 0 ? '' : ` (${details.join(', ')})`;
}

/** Logs a bug under a new id, without apparent keys and passwords. Returns the id. */
export function logBug(error: unknown): string {
  const id = randomUUID();
  getLog().error(`[${id}]`, error);
  return id;
}

const MAX_LOGGED_LENGTH = 4_000;

/**
 * Removes keys in common formats, passwords in URLs, authorization headers and cookies, secrets in queries, and tokens of sign-in links.
 * Keeps at most 4,000 characters.
 */
export function withoutSecrets(text: string): string {
  return text
    .slice(0, MAX_LOGGED_LENGTH)
    .replace(/\b(?:(?:sk|pk|rk|key|xai|gsk)[-_]|hone_|AIza)[-_A-Za-z0-9]{12,}/g, '[key]')
    .replace(/(\/join\/)[^\s/?#"']+/g, '$1[link]')
    .replace(/(\/\/)[^\s/@]+@/g, '$1[user]@')
    .replace(/\b((?:set-)?cookie"?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\r\n]+)/gi, '$1[cookie]')
    .replace(/\b(bearer|basic)\s+[^\s"',]+/gi, '$1 [token]')
    .replace(/([?&][\w.-]*(?:key|token|secret|password|signature|auth)[\w.-]*=)[^\s&#"']+/gi, '$1[secret]')
    .replace(/("?(?:api[-_]?key|password|secret|token)"?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,}&]+)/gi, '$1[secret]');
}

/** Formats a thrown value with its stack and without secrets. */
export function thrownText(thrown: unknown): string {
  return withoutSecrets(
    thrown instanceof Error ? (thrown.stack ?? `${thrown.name}: ${thrown.message}`) : String(thrown),
  );
}
