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
