declare global {
  // Routes are module instances of their own; only `globalThis` is shared.
  var honeStoring: { working: number; waiting: (() => void)[] } | undefined;
}

/** So many uploads are checked and stored at the same time in one process: the pool has connections left for everybody else. */
const MOST_STORING = 4;

/** Does the work on an upload that has arrived as a whole, when it is its turn. */
export async function inStoringTurn<Value>(work: () => Promise<Value>): Promise<Value> {
  globalThis.honeStoring ??= { working: 0, waiting: [] };
  const turns = globalThis.honeStoring;
  // A turn is handed on as it is: nobody who comes later gets in between.
  if (turns.working >= MOST_STORING) await new Promise<void>((resolve) => turns.waiting.push(resolve));
  else turns.working += 1;
  try {
    return await work();
  } finally {
    const next = turns.waiting.shift();
    if (next === undefined) turns.working -= 1;
    else next();
  }
}
