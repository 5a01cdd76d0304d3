import { setImmediate as nextTurn } from 'node:timers/promises';

/** State of work with limited concurrency. Waiting work runs in order of arrival. */
export type Turns = { working: number; waiting: (() => void)[] };

export function openTurns(): Turns {
  return { working: 0, waiting: [] };
}

/** Runs the work when a slot is free, with at most `most` at a time. Failed work also frees its slot. */
export async function inTurn<Value>(turns: Turns, most: number, work: () => Promise<Value>): Promise<Value> {
  // A freed slot goes directly to the next waiting work, so that new work cannot take it first.
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

/** Maximum time for which stepwise work blocks the event loop, in milliseconds. */
const MAX_BLOCKING_MS = 10;

/** Returns a function to await after each step of long work. It yields to other requests when 10 ms have passed. */
export function yieldToOthers(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < MAX_BLOCKING_MS) return;
    return nextTurn().then(() => {
      since = performance.now();
    });
  };
}

declare global {
  // Each route has its own module instances. Only `globalThis` is shared.
  var honeSlots: Map<string, number> | undefined;
}

/**
 * Takes one of a person's `most` slots for concurrent uploads or streams in this process. Returns a function that releases the slot, where
 * repeated calls have no effect. Null if no slot is free.
 */
export function takeSlot(kind: 'upload' | 'stream', person: string, most: number): (() => void) | null {
  globalThis.honeSlots ??= new Map();
  const slots = globalThis.honeSlots;
  const key = `${kind} ${person}`;
  const used = slots.get(key) ?? 0;
  if (used >= most) return null;
  slots.set(key, used + 1);
  let isReleased = false;
  return () => {
    if (isReleased) return;
    isReleased = true;
    const left = (slots.get(key) ?? 1) - 1;
    if (left > 0) slots.set(key, left);
    else slots.delete(key);
  };
}
