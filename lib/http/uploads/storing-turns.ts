import { inTurn, openTurns, type Turns } from '#lib/system/turns.ts';

declare global {
  // Routes are module instances of their own; only `globalThis` is shared.
  var honeStoring: Turns | undefined;
}

/** So many uploads are checked and stored at the same time in one process: the pool has connections left for everybody else. */
const MOST_STORING = 4;

/** Does the work on an upload that has arrived as a whole, when it is its turn. */
export function inStoringTurn<Value>(work: () => Promise<Value>): Promise<Value> {
  globalThis.honeStoring ??= openTurns();
  return inTurn(globalThis.honeStoring, MOST_STORING, work);
}
