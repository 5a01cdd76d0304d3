import { AsyncLocalStorage } from 'node:async_hooks';

/** What becomes known of a request while it is answered. `refused`: the HTTP status of who was turned away from a page or an action. */
export type RequestFacts = { actorId: string | null; refused: 401 | 403 | null };

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

/** Notes that who asks was turned away, and with which HTTP status: Next would answer what is thrown with 500. */
export function noteRefused(status: 401 | 403): void {
  const facts = requests().getStore();
  if (facts !== undefined) facts.refused = status;
}

function requests(): AsyncLocalStorage<RequestFacts> {
  globalThis.honeRequests ??= new AsyncLocalStorage();
  return globalThis.honeRequests;
}
