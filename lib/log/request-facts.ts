import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * What becomes known of a request while it is answered. `refused`: the HTTP status of who was turned away from a page or an action;
 * `retryAfterSeconds`: when they may come again, where that is why. `isCounted`: a limit of requests has counted it.
 */
export type RequestFacts = {
  actorId: string | null;
  /** The pattern of the route of the API that answers; null until it is found. */
  route: string | null;
  refused: 401 | 403 | 429 | null;
  retryAfterSeconds?: number;
  isCounted?: boolean;
};

declare global {
  // The server that takes requests and the pages that answer them are module instances of their own.
  var honeRequests: AsyncLocalStorage<RequestFacts> | undefined;
}

/** Answers a request; what is noted meanwhile stands in `facts`. */
export function withRequestFacts<Value>(facts: RequestFacts, work: () => Value): Value {
  return requests().run(facts, work);
}

/** Notes who asks: a member, a token or the local owner, by id. Does nothing outside of a request. */
export function noteActor(actorId: string): void {
  const facts = requests().getStore();
  if (facts !== undefined) facts.actorId = actorId;
}

/** Notes which route of the API answers. */
export function noteRoute(pattern: string): void {
  const facts = requests().getStore();
  if (facts !== undefined) facts.route = pattern;
}

/** Notes that who asks was turned away, and with which HTTP status: Next would answer what is thrown with 500. */
export function noteRefused(status: 401 | 403 | 429, retryAfterSeconds?: number): void {
  const facts = requests().getStore();
  if (facts === undefined) return;
  facts.refused = status;
  if (retryAfterSeconds !== undefined) facts.retryAfterSeconds = retryAfterSeconds;
}

/**
 * True for the first who asks within a request: an action and the page that is made anew after it are one request, and what the action
 * did must not be answered with a refusal. Always true outside of a request.
 */
export function isFirstCount(): boolean {
  const facts = requests().getStore();
  if (facts === undefined) return true;
  const isFirst = facts.isCounted !== true;
  facts.isCounted = true;
  return isFirst;
}

function requests(): AsyncLocalStorage<RequestFacts> {
  globalThis.honeRequests ??= new AsyncLocalStorage();
  return globalThis.honeRequests;
}
