import { randomUUID } from 'node:crypto';
import type { Workshop } from '#lib/context/app-context.ts';
import { getLog } from '#lib/log/log.ts';
import { continueStopAll } from '#lib/runs/continue-stop-all.ts';
import { hasWorkBeside } from './background-work.ts';

/** How often it is looked whether all runs are to be stopped, in milliseconds. */
const LOOK_MS = 1_000;

/** Stops all runs when that is asked for, from now on. Answers how to end, which waits for what is under way. */
export function keepStopping(workshop: Workshop): () => Promise<void> {
  const holder = randomUUID();
  const ending = new AbortController();
  let underWay: Promise<unknown> | null = null;
  async function look(): Promise<void> {
    if (await hasWorkBeside(workshop.database, 'stopAll')) await continueStopAll(workshop, holder, ending.signal);
  }
  const looking = setInterval(() => {
    underWay ??= look()
      .catch((error: unknown) => getLog().error('stopping all runs', error))
      .finally(() => {
        underWay = null;
      });
  }, LOOK_MS).unref();
  return async () => {
    ending.abort();
    clearInterval(looking);
    await underWay;
  };
}
