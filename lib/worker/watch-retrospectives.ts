import { HONE } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { tryLock } from '#lib/database/locks.ts';
import { runsToLookBackOver } from '#lib/lessons/write-queries.ts';
import { requestRetrospective } from './request-retrospective.ts';
import { runPeriodically } from './run-periodically.ts';

/** How often it is looked for experiments whose schedule is due, in milliseconds. */
const LOOK_MS = 60_000;

/** Only one process asks for scheduled look backs at a time. */
const LOOK_BACK_LOCK = 72_707_373;

/** Looks back over ended runs by the schedules of their experiments, from now on. Answers how to stop, which waits for what is under way. */
export function watchRetrospectives(context: AppContext, lookMs: number = LOOK_MS): () => Promise<void> {
  return runPeriodically('look backs', lookMs, (signal) => startDueRetrospectives(context, signal));
}

/**
 * Asks for the look backs that are due: for each experiment with `lessons.lookBackEvery` over at most `lessons.lookBackRuns` of the runs
 * that ended since the last time. A worker makes them as it does those that people ask for: within the budgets of experiment and month,
 * and what they leave is redacted, screened and waits for review. Answers how many; null where another process is at it.
 */
export function startDueRetrospectives(context: AppContext, signal: AbortSignal): Promise<number | null> {
  return tryLock(context.database, LOOK_BACK_LOCK, async () => {
    let asked = 0;
    for (const runId of await runsToLookBackOver(context.database)) {
      if (signal.aborted) return asked;
      if ((await requestRetrospective(context, HONE, runId, { scheduled: true })).ok) asked++;
    }
    return asked;
  });
}
