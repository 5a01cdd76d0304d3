import { randomUUID } from 'node:crypto';
import type { AppContext } from '#lib/context/app-context.ts';
import { getLog } from '#lib/log/log.ts';
import { continueStopAll } from '#lib/runs/stop-all.ts';
import { hasBackgroundWork } from './background-work.ts';

/** How often it is looked whether all runs are to be stopped, in milliseconds. */
const LOOK_MS = 1_000;

/** Stops all runs when that is asked for, from now on. Answers how to end, which waits for what is under way. */
export function watchStopAll(context: AppContext): () => Promise<void> {
  const holder = randomUUID();
  const ending = new AbortController();
  let underWay: Promise<unknown> | null = null;
  async function look(): Promise<void> {
    if (await hasBackgroundWork(context.database, 'stopAll')) await continueStopAll(context, holder, ending.signal);
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
