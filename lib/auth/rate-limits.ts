import { fail, type Problem } from '#lib/core/problem.ts';
import { type Environment, parseEnvironment, type RateName } from '#lib/environment.ts';
import { type Actor, personOf } from './actor.ts';
import { addressGroup } from './client-address.ts';
import { type Charge, createRateLimiter, type RateLimiter } from './rate-limiter.ts';

/** All tokens of one person together, in rates of one. A person's own requests are counted apart: a script does not keep them out. */
const TOKENS_TOGETHER = 4;
/** All requests of one address, in rates of a person: a whole office may stand behind it. */
const ADDRESS_TOGETHER = 10;
/** People and tokens are those that there are; addresses can be made up, and do not push people out. */
const MOST_KEYS = 50_000;

/** Each counts one request, or none where it is one too many: then it answers after how many seconds the next one is taken, else null. */
type RateLimits = {
  rates: Environment['rateLimits'];
  /** Of whoever is let in, and of what it counts as beside being a request. */
  takeOfPerson(kind: RateName | null, actor: Pick<Actor, 'id' | 'memberId' | 'scopes'>): number | null;
  /** Of somebody not signed in. */
  takeOfStranger(address: string): number | null;
  /** Of whoever it may be. */
  takeOfAddress(address: string): number | null;
  /** Of something of `kind` that `actor` does within a request. */
  takeOf(kind: RateName, actor: Pick<Actor, 'id' | 'memberId' | 'scopes'>): number | null;
  /** Of a password that is to be hashed for an address, or for a browser that is known. */
  takePassword(whose: { address: string } | { browser: string }): number | null;
};

/** Limits that hold in one process. `nowMs`: milliseconds of a clock that only goes forward. */
export function openRateLimits(rates: Environment['rateLimits'], nowMs = () => performance.now()): RateLimits {
  const people = createRateLimiter(MOST_KEYS);
  const addresses = createRateLimiter(MOST_KEYS);
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
        charges.push({ key: `tokens of ${actor.memberId}`, perMinute: rates.requests * TOKENS_TOGETHER });
      if (kind !== null) charges.push(ofKind(kind, actor));
      return take(people, ...charges);
    },
    takeOfStranger: (address) =>
      take(addresses, { key: `stranger ${addressGroup(address)}`, perMinute: rates.requests }),
    takeOfAddress: (address) =>
      take(addresses, { key: addressGroup(address), perMinute: rates.requests * ADDRESS_TOGETHER }),
    takeOf: (kind, actor) => take(people, ofKind(kind, actor)),
    takePassword: (whose) => {
      const key = 'browser' in whose ? `browser ${whose.browser}` : `password ${addressGroup(whose.address)}`;
      return take(addresses, { key, perMinute: rates.password });
    },
  };
}

/** Each token counts for itself; all else a member does counts for them. */
function whoOf(actor: Pick<Actor, 'id' | 'memberId' | 'scopes'>): string {
  return actor.scopes === undefined ? personOf(actor) : actor.id;
}

declare global {
  // Pages, routes and the server are module instances of their own; only `globalThis` is shared.
  var honeRateLimits: RateLimits | undefined;
}

/** The limits of this process, by its environment. Throws where that is wrong: the start refuses it first. */
export function currentRateLimits(): RateLimits {
  if (globalThis.honeRateLimits !== undefined) return globalThis.honeRateLimits;
  const environment = parseEnvironment(process.env);
  if (!environment.ok) throw new Error(environment.problem.message);
  globalThis.honeRateLimits = openRateLimits(environment.value.rateLimits);
  return globalThis.honeRateLimits;
}

/** Tells people and programs what happened and when to try again. */
export function tooManyRequests(seconds: number): { ok: false; problem: Problem } {
  const message = `Too many requests. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
  return { ok: false, problem: { ...fail('rate_limited', message).problem, retryAfterSeconds: seconds } };
}
