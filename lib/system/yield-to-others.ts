import { setImmediate as nextTurn } from 'node:timers/promises';

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
