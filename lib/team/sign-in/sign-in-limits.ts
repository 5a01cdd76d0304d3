import { createHash } from 'node:crypto';
import type { Database } from '#lib/db/database.ts';
import { forgetTries, forgiveTry, type TakenTry, type TryLimit, takeTry } from '#lib/db/sign-in-limits.ts';

const MINUTE_MS = 60_000;
const WINDOW_MS = 15 * MINUTE_MS;

/** What is counted: passwords of an account and from an address, links and API tokens from an address. */
export const LIMITS = {
  account: { tries: 5, windowMs: WINDOW_MS, firstBlockMs: MINUTE_MS, longestBlockMs: 60 * MINUTE_MS },
  address: { tries: 30, windowMs: WINDOW_MS, firstBlockMs: WINDOW_MS, longestBlockMs: 60 * MINUTE_MS },
  links: { tries: 20, windowMs: WINDOW_MS, firstBlockMs: WINDOW_MS, longestBlockMs: 60 * MINUTE_MS },
  tokens: { tries: 60, windowMs: WINDOW_MS, firstBlockMs: WINDOW_MS, longestBlockMs: 60 * MINUTE_MS },
} satisfies Record<string, TryLimit>;
export type LimitName = keyof typeof LIMITS;

type Pool = Pick<Database, 'pool'>;

/** Takes one try by `name` of `whose` (an e-mail address, an address of the net), counted as failed until it is forgiven. */
export function takeTryOf(database: Pool, name: LimitName, whose: string, now: Date): Promise<TakenTry> {
  return takeTry(database, { key: keyOf(name, whose), limit: LIMITS[name], now });
}

/** The try was right: it is not counted. */
export function forgiveTryOf(database: Pool, name: LimitName, whose: string): Promise<void> {
  return forgiveTry(database, { key: keyOf(name, whose), limit: LIMITS[name] });
}

/** The try was right: nothing before it is counted any more. */
export function forgetTriesOf(database: Pool, name: LimitName, whose: string): Promise<void> {
  return forgetTries(database, keyOf(name, whose));
}

/** For people: when they may try again. */
export function tryAgainWords(until: Date, now: Date): string {
  const minutes = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / MINUTE_MS));
  return `Too many failed tries. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
}

/** Addresses are not kept as they are. */
function keyOf(name: LimitName, whose: string): string {
  return createHash('sha256').update(`${name}:${whose}`).digest('hex');
}
