import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work of which so much is done at the same time; the rest waits in the order it came. */
export type Turns = { working: number; waiting: (() => void)[] };

export function openTurns(): Turns {
  return { working: 0, waiting: [] };
}

/** Does the work when it is its turn: at most `most` at the same time. A work that fails ends its turn too. */
export async function inTurn<Value>(turns: Turns, most: number, work: () => Promise<Value>): Promise<Value> {
  // A turn is handed on as it is: nobody who comes later gets in between.
  if (turns.working >= most) await new Promise<void>((resolve) => turns.waiting.push(resolve));
  else turns.working += 1;
  try {
    return await work();
  } finally {
    const next = turns.waiting.shift();
    if (next === undefined) turns.working -= 1;
    else next();
  }
}

/** The longest that work in steps holds the event loop, in milliseconds. */
const LONGEST_MS = 10;

/** For long work in steps: awaited after each, it lets other requests be served once the work has gone on for 10 ms. */
export function yieldToOthers(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < LONGEST_MS) return;
    return nextTurn().then(() => {
      since = performance.now();
    });
  };
}
