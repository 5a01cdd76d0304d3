import type { AppContext } from '#lib/context/app-context.ts';
import { admitLessons, hasDeferred } from '#lib/lessons/admit-lessons.ts';
import { hasBackgroundWork } from './background-work.ts';
import { runPeriodically } from './run-periodically.ts';

/** Interval of checks for lessons that wait for admission, in milliseconds. */
const LOOK_MS = 2_000;
/** Interval of checks if lessons used by unfinished runs may be archived, in milliseconds. */
const DEFERRED_MS = 20_000;

/** Starts admitting lessons soon after they are stored. Returns a function that stops this and waits for work in progress. */
export function watchAdmission(context: AppContext, lookMs: number = LOOK_MS): () => Promise<void> {
  const { database } = context;
  let admittedAt = Number.NEGATIVE_INFINITY;
  return runPeriodically('lessons', lookMs, async (signal) => {
    const isDeferredDue = hasDeferred(database) && performance.now() - admittedAt >= DEFERRED_MS;
    if (!(await hasBackgroundWork(database, 'lessons')) && !isDeferredDue) return;
    await admitLessons(context, signal);
    admittedAt = performance.now();
  });
}
