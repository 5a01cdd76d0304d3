import { hasWorkBeside } from '#lib/db/work-beside.ts';
import { getLog } from '#lib/log/log.ts';
import type { Workshop } from '../workshop.ts';
import { admitLessons } from './admit-lessons.ts';
import { hasDeferred } from './retain-lessons.ts';

/** How often it is looked for lessons that wait to be admitted, in milliseconds. */
const LOOK_MS = 2_000;

/** Admits lessons soon after they were stored, from now on. Answers how to stop, which waits for what is under way. */
export function keepAdmitting(workshop: Workshop, lookMs: number = LOOK_MS): () => Promise<void> {
  const stopping = new AbortController();
  let underWay: Promise<unknown> | null = null;
  async function look(): Promise<void> {
    const { database } = workshop;
    if ((await hasWorkBeside(database, 'lessons')) || hasDeferred(database))
      await admitLessons(workshop, stopping.signal);
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
