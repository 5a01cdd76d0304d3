import { fail, type Problem } from '#lib/core/problem.ts';
import { type Environment, parseEnvironment, type RateName } from '#lib/environment.ts';
import { type Actor, personOf } from './actor.ts';
import { addressGroup } from './client-address.ts';

const MINUTE_MS = 60_000;

/** One request as counted by one limit. `key` identifies the caller. Not counted if `perMinute` is 0. */
type Charge = { key: string; perMinute: number };

type RateLimiter = {
  /**
   * Counts one request under all of `charges`, or under none if one is exhausted. Returns the milliseconds until the request is allowed, or
   * 0 if it was counted.
   */
  take(charges: readonly Charge[], nowMs: number): number;
  /** Returns the number of stored keys. */
  size(): number;
};

/**
 * Rate limiter with the generic cell rate algorithm: a key may use a full minute's quota at once and regains it evenly over a minute. Each
 * key stores one number. Keeps at most the `mostKeys` last used keys, so that made-up keys cannot exhaust memory. Removing idle keys loses
 * nothing.
 */
export function createRateLimiter(mostKeys: number): RateLimiter {
  // Time at which each key has its full quota again. Split into two maps so that the older one is dropped as a whole. Evicting the oldest
  // keys of one map one by one becomes slower each time.
  let recent = new Map<string, number>();
  let older = new Map<string, number>();
  let turnedAt = Number.NEGATIVE_INFINITY;

  /** A key idle for a minute has its full quota, so only a flood of keys discards relevant state. */
  function turn(nowMs: number): void {
    const restedMs = nowMs - turnedAt;
    if (restedMs < MINUTE_MS && recent.size < mostKeys / 2) return;
    older = restedMs < 2 * MINUTE_MS ? recent : new Map();
    recent = new Map();
    turnedAt = nowMs;
  }

  return {
    take: (charges, nowMs) => {
      const next = charges
        .filter(({ perMinute }) => perMinute > 0)
        .map(({ key, perMinute }) => ({
          key,
          at: Math.max(recent.get(key) ?? older.get(key) ?? nowMs, nowMs) + MINUTE_MS / perMinute,
        }));
      const waitMs = Math.max(0, ...next.map(({ at }) => at - nowMs - MINUTE_MS));
      // Tolerance for rounding errors of floating-point sums.
      if (waitMs > 0.001) return waitMs;
      for (const { key, at } of next) {
        turn(nowMs);
        recent.set(key, at);
      }
      return 0;
    },
    size: () => new Set([...recent.keys(), ...older.keys()]).size,
  };
}

/**
 * Limit for all tokens of a person together, as a multiple of one token's rate. The person's own requests are counted separately, so that a
 * script cannot block them.
 */
const TOKENS_RATE_FACTOR = 4;
/** Limit for all requests of an address, as a multiple of a person's rate, because a whole office may share it. */
const ADDRESS_RATE_FACTOR = 10;
/** Maximum keys per limiter. Addresses can be made up, so they have their own limiter and cannot evict people and tokens. */
const MAX_KEYS = 50_000;

/** Rate limits. Each method counts one request and returns null, or returns the seconds until the next one is allowed. */
type RateLimits = {
  rates: Environment['rateLimits'];
  /** Counts a request of an authorized caller, and an additional limit of `kind`. */
  takeOfPerson(kind: RateName | null, actor: Pick<Actor, 'id' | 'memberId' | 'scopes'>): number | null;
  /** Counts a request of an unauthenticated caller. */
  takeOfAnonymous(address: string): number | null;
  takeOfAddress(address: string): number | null;
  /** Counts an operation of `kind` performed by `actor` within a request. */
  takeOf(kind: RateName, actor: Pick<Actor, 'id' | 'memberId' | 'scopes'>): number | null;
  /** Counts a password to hash, for an address or for a known browser. */
  takePassword(whose: { address: string } | { browser: string }): number | null;
};

/** Creates the limits of one process. `nowMs`: milliseconds of a monotonic clock. */
export function openRateLimits(rates: Environment['rateLimits'], nowMs = () => performance.now()): RateLimits {
  const people = createRateLimiter(MAX_KEYS);
  const addresses = createRateLimiter(MAX_KEYS);
  const take = (limiter: RateLimiter, ...charges: Charge[]) => {
    const waitMs = limiter.take(charges, nowMs());
    return waitMs === 0 ? null : Math.max(1, Math.ceil(waitMs / 1_000));
  };
  const ofKind = (kind: RateName, actor: Pick<Actor, 'id' | 'memberId' | 'scopes'>) => ({
    key: `${kind} ${whoOf(actor)}`,
    perMinute: rates[kind],
  });
  return {
    rates,
    takeOfPerson: (kind, actor) => {
      const charges = [ofKind('requests', actor)];
      if (actor.scopes !== undefined && actor.memberId !== undefined)
        charges.push({ key: `tokens of ${actor.memberId}`, perMinute: rates.requests * TOKENS_RATE_FACTOR });
      if (kind !== null) charges.push(ofKind(kind, actor));
      return take(people, ...charges);
    },
    takeOfAnonymous: (address) =>
      take(addresses, { key: `stranger ${addressGroup(address)}`, perMinute: rates.requests }),
    takeOfAddress: (address) =>
      take(addresses, { key: addressGroup(address), perMinute: rates.requests * ADDRESS_RATE_FACTOR }),
    takeOf: (kind, actor) => take(people, ofKind(kind, actor)),
    takePassword: (whose) => {
      const key = 'browser' in whose ? `browser ${whose.browser}` : `password ${addressGroup(whose.address)}`;
      return take(addresses, { key, perMinute: rates.password });
    },
  };
}

/** Each token is counted separately. All other requests of a member are counted together. */
function whoOf(actor: Pick<Actor, 'id' | 'memberId' | 'scopes'>): string {
  return actor.scopes === undefined ? personOf(actor) : actor.id;
}

declare global {
  // Pages, routes and the server have separate module instances. Only `globalThis` is shared.
  var honeRateLimits: RateLimits | undefined;
}

/** Returns the limits of this process, from its environment. Throws if it is invalid, but startup rejects that first. */
export function currentRateLimits(): RateLimits {
  if (globalThis.honeRateLimits !== undefined) return globalThis.honeRateLimits;
  const environment = parseEnvironment(process.env);
  if (!environment.ok) throw new Error(environment.problem.message);
  globalThis.honeRateLimits = openRateLimits(environment.value.rateLimits);
  return globalThis.honeRateLimits;
}

/** Returns the error for a rate-limited request, with the time of the next retry for people and programs. */
export function tooManyRequests(seconds: number): { ok: false; problem: Problem } {
  const message = `Too many requests. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
  return { ok: false, problem: { ...fail('rate_limited', message).problem, retryAfterSeconds: seconds } };
}
