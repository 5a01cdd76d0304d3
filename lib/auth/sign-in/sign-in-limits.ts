import { createHash } from 'node:crypto';
import {
  type AttemptLimit,
  type AttemptResult,
  clearAttempts,
  countAttempt,
  deleteOldAttempts,
  refundAttempt,
} from '#lib/auth/attempt-limits.ts';
import { fail, type Problem } from '#lib/core/problem.ts';
import type { DatabaseClient } from '#lib/database/database.ts';
import { addressGroup } from '../client-address.ts';

const MINUTE_MS = 60_000;
const WINDOW_MS = 15 * MINUTE_MS;

const OF_PASSWORDS = { tries: 5, windowMs: WINDOW_MS, firstBlockMs: MINUTE_MS, longestBlockMs: 60 * MINUTE_MS };

/**
 * Limits of attempts: passwords by account and by address, by browser known for the account, and by members who change their own password.
 * Links and API tokens by address.
 */
const LIMITS = {
  account: OF_PASSWORDS,
  knownBrowser: OF_PASSWORDS,
  ownPassword: OF_PASSWORDS,
  address: { tries: 30, windowMs: WINDOW_MS, firstBlockMs: WINDOW_MS, longestBlockMs: 60 * MINUTE_MS },
  links: { tries: 20, windowMs: WINDOW_MS, firstBlockMs: WINDOW_MS, longestBlockMs: 60 * MINUTE_MS },
  tokens: { tries: 60, windowMs: WINDOW_MS, firstBlockMs: WINDOW_MS, longestBlockMs: 60 * MINUTE_MS },
} satisfies Record<string, AttemptLimit>;
export type LimitName = keyof typeof LIMITS;

const BY_ADDRESS: LimitName[] = ['address', 'links', 'tokens'];

/** Counts an attempt under the limit `name` for `whose` (an email or IP address). It counts as failed until forgiven. */
export async function countAttemptOf(
  database: DatabaseClient,
  name: LimitName,
  whose: string,
  now: Date,
): Promise<AttemptResult> {
  const attempt = await countAttempt(database, { key: keyOf(name, whose), limit: LIMITS[name], now });
  if (Math.abs(now.getTime() - sweptAt) > SWEEP_MS) {
    sweptAt = now.getTime();
    await deleteOldAttempts(database, now);
  }
  return attempt;
}

/** Interval for deleting old attempts, so that made-up addresses and accounts do not fill the table without any sign-in. */
const SWEEP_MS = 10 * MINUTE_MS;
let sweptAt = 0;

/** Removes a successful attempt from the count. */
export function refundAttemptOf(database: DatabaseClient, name: LimitName, whose: string): Promise<void> {
  return refundAttempt(database, { key: keyOf(name, whose), limit: LIMITS[name] });
}

/** Clears all counted attempts after a successful one. */
export function clearAttemptsOf(database: DatabaseClient, name: LimitName, whose: string): Promise<void> {
  return clearAttempts(database, keyOf(name, whose));
}

/** Returns the error for too many attempts, with the time of the next one for people and in `retryAfterSeconds` for programs. */
export function tooManyAttempts(until: Date, now: Date): { ok: false; problem: Problem } {
  const ms = until.getTime() - now.getTime();
  const minutes = Math.max(1, Math.ceil(ms / MINUTE_MS));
  const message = `Too many failed tries. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
  const retryAfterSeconds = Math.max(1, Math.ceil(ms / 1000));
  return { ok: false, problem: { ...fail('rate_limited', message).problem, retryAfterSeconds } };
}

/** Hashed, so that addresses are not stored in plain text. */
function keyOf(name: LimitName, whose: string): string {
  const counted = BY_ADDRESS.includes(name) ? addressGroup(whose) : whose;
  return createHash('sha256').update(`${name}:${counted}`).digest('hex');
}
