import type { AppContext } from '#lib/context/app-context.ts';
import { admitLessons } from '#lib/lessons/admit-lessons.ts';
import { hasDeferred } from '#lib/lessons/retain-lessons.ts';
import { getLog } from '#lib/log/log.ts';
import { hasBackgroundWork } from './background-work.ts';

/** How often it is looked for lessons that wait to be admitted, in milliseconds. */
const LOOK_MS = 2_000;
/** How often it is looked whether lessons that runs under way use may be archived. */
const DEFERRED_MS = 20_000;

/** Admits lessons soon after they were stored, from now on. Answers how to stop, which waits for what is under way. */
export function watchAdmission(context: AppContext, lookMs: number = LOOK_MS): () => Promise<void> {
  const stopping = new AbortController();
  let underWay: Promise<unknown> | null = null;
  let admittedAt = Number.NEGATIVE_INFINITY;
  async function look(): Promise<void> {
    const { database } = context;
    const isDeferredDue = hasDeferred(database) && performance.now() - admittedAt >= DEFERRED_MS;
    if (!(await hasBackgroundWork(database, 'lessons')) && !isDeferredDue) return;
    await admitLessons(context, stopping.signal);
    admittedAt = performance.now();
  }
  const looking = setInterval(() => {
    underWay ??= look()
      .catch((error: unknown) => getLog().error('lessons', error))
      .finally(() => {
        underWay = null;
      });
  }, lookMs).unref();
  return async () => {
    stopping.abort();
    clearInterval(looking);
    await underWay;
  };
}
