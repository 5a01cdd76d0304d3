import { HONE_ACTOR } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { tryLock } from '#lib/database/locks.ts';
import { listRunsDueForRetrospective } from '#lib/lessons/write-queries.ts';
import { requestRetrospective } from './request-retrospective.ts';
import { runPeriodically } from './run-periodically.ts';

/** Interval of checks for experiments with a due schedule, in milliseconds. */
const LOOK_MS = 60_000;

/**
 * Starts requesting retrospectives of ended runs by the schedules of their experiments. Returns a function that stops this and waits for
 * work in progress.
 */
export function watchRetrospectives(context: AppContext, lookMs: number = LOOK_MS): () => Promise<void> {
  return runPeriodically('look backs', lookMs, (signal) => startDueRetrospectives(context, signal));
}

/**
 * Requests the due retrospectives. For each experiment with `lessons.lookBackEvery`, covers at most `lessons.lookBackRuns` of the runs that
 * ended since the last time. Returns their number, or null if another process is doing this.
 * A worker makes them like manual ones: within the budgets of the experiment and the month. Their lessons are redacted, screened and wait
 * for review.
 */
export function startDueRetrospectives(context: AppContext, signal: AbortSignal): Promise<number | null> {
  return tryLock(context.database, 'retrospectives', async () => {
    let requestedCount = 0;
    for (const runId of await listRunsDueForRetrospective(context.database)) {
      if (signal.aborted) return requestedCount;
      if ((await requestRetrospective(context, HONE_ACTOR, runId, { scheduled: true })).ok) requestedCount++;
    }
    return requestedCount;
  });
}
