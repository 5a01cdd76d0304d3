import { randomUUID } from 'node:crypto';
import { thrownText, withoutSecrets } from './without-secrets.ts';

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
