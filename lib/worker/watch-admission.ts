import type { AppContext } from '#lib/context/app-context.ts';
import { admitLessons } from '#lib/lessons/admit-lessons.ts';
import { hasDeferred } from '#lib/lessons/retain-lessons.ts';
import { hasBackgroundWork } from './background-work.ts';
import { runPeriodically } from './run-periodically.ts';

/** How often it is looked for lessons that wait to be admitted, in milliseconds. */
const LOOK_MS = 2_000;
/** How often it is looked whether lessons that runs under way use may be archived. */
const DEFERRED_MS = 20_000;

/** Admits lessons soon after they were stored, from now on. Answers how to stop, which waits for what is under way. */
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
