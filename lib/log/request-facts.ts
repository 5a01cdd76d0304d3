import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Facts collected during a request. `refused` is the HTTP status of a page or action that was denied, or failed because the database was
 * unreachable (503). `retryAfterSeconds` is the time until a retry makes sense. `isCounted` is true once a rate limit has counted the
 * request.
 */
export type RequestFacts = {
  actorId: string | null;
  /** Pattern of the API route that handles the request. Null until it is matched. */
  route: string | null;
  refused: 401 | 403 | 429 | 503 | null;
  retryAfterSeconds?: number;
  isCounted?: boolean;
};

declare global {
  // The server that receives requests and the pages that handle them are separate module instances.
  var honeRequests: AsyncLocalStorage<RequestFacts> | undefined;
}

/** Runs `work` for a request and collects its facts in `facts`. */
export function withRequestFacts<Value>(facts: RequestFacts, work: () => Value): Value {
  return requests().run(facts, work);
}

/** Records the id of the caller: a member, a token or the local owner. Does nothing outside a request. */
export function setRequestActor(actorId: string): void {
  const facts = requests().getStore();
  if (facts !== undefined) facts.actorId = actorId;
}

/** Records the API route that handles the request. */
export function setRequestRoute(pattern: string): void {
  const facts = requests().getStore();
  if (facts !== undefined) facts.route = pattern;
}

/** Records the HTTP status with which a page or action was refused. Next would respond to the thrown error with 500. */
export function setRequestDenial(status: 401 | 403 | 429 | 503, retryAfterSeconds?: number): void {
  const facts = requests().getStore();
  if (facts === undefined) return;
  facts.refused = status;
  if (retryAfterSeconds !== undefined) facts.retryAfterSeconds = retryAfterSeconds;
}

/**
 * Returns true on the first call within a request, and always outside a request. An action and the re-render of its page are one request,
 * so the rate limit must not deny the re-render after the action succeeded.
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
