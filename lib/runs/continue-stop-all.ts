import type { AppContext } from '#lib/context/app-context.ts';
import { forEachAtOnce } from './each-at-once.ts';
import { holdStopAll, nextToStop, noteStopped } from './stop-all.ts';
import { stopRun } from './stop-run.ts';

/** Runs that are stopped before it is said how far it is. */
const AT_ONCE = 40;

/**
 * Goes on with stopping all runs, where that was asked for and no other process does, until it is done or `signal` says so. A run that
 * cannot be stopped (it ended meanwhile) is passed over. Answers how many were stopped.
 */
export async function continueStopAll(context: AppContext, holder: string, signal: AbortSignal): Promise<number> {
  const { database, now } = context;
  const tried = new Set<string>();
  let stopped = 0;
  while (!signal.aborted) {
    const stopAll = await holdStopAll(database, holder);
    if (stopAll === null) break;
    const runIds = await nextToStop(database, stopAll, [...tried], AT_ONCE);
    const done = await forEachAtOnce(runIds, (runId) => stopRun(context, stopAll.actor, runId));
    const count = done.filter(({ ok }) => ok).length;
    stopped += count;
    for (const runId of runIds) tried.add(runId);
    const isDone = runIds.length < AT_ONCE;
    await noteStopped(database, { id: stopAll.id, stopped: count, doneAt: isDone ? now() : null });
    if (isDone) break;
  }
  return stopped;
}
