import { fail, type Problem } from '#lib/core/problem.ts';
import { type Environment, parseEnvironment, type RateName } from '#lib/environment.ts';
import { type Actor, personOf } from './actor.ts';
import { addressGroup } from './client-address.ts';
import { type Charge, createRateLimiter, type RateLimiter } from './rate-limiter.ts';

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
  takeOfStranger(address: string): number | null;
  /** Counts any request from an address. */
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
    takeOfStranger: (address) =>
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
