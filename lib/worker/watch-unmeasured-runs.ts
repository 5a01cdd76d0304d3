import type { AppContext } from '#lib/context/app-context.ts';
import { mergeLessonTotals } from '#lib/lessons/write-queries.ts';
import { getLog } from '#lib/log/log.ts';
import { COUNTED_AT_ONCE, countSettledRuns, makeSearchable, measureRuns, newestRunNumber } from '#lib/runs/measures.ts';
import { hasBackgroundWork } from './background-work.ts';

/** How often it is looked for texts to make searchable, in milliseconds. */
const LOOK_MS = 2_000;
/** How often it is looked for new runs without measures. */
const SURVEY_MS = 20_000;
/** How often all runs are gone through: a process of an older Hone may have ended some of those that were there before. */
const WHOLE_SURVEY_MS = 3_600_000;

/** Fills in what ended runs come to, keeps totals of runs and lessons, and makes their texts searchable, from now on. Answers how to stop, which waits for what is under way. */
export function watchUnmeasuredRuns(context: AppContext, lookMs: number = LOOK_MS): () => Promise<void> {
  const stopping = new AbortController();
  let underWay: Promise<unknown> | null = null;
  let surveyedAt = Number.NEGATIVE_INFINITY;
  let wholeAt = Number.NEGATIVE_INFINITY;
  let from = -1;
  async function survey(): Promise<void> {
    const isWhole = performance.now() - wholeAt >= WHOLE_SURVEY_MS;
    // Read first. A run that has not ended by then is measured by the save that ends it.
    const newest = await newestRunNumber(context.database);
    await measureRuns(context, stopping.signal, isWhole ? -1 : from);
    from = newest;
    surveyedAt = performance.now();
    if (isWhole) wholeAt = surveyedAt;
  }
  async function look(): Promise<void> {
    if (performance.now() - surveyedAt >= SURVEY_MS) await survey();
    if (await hasBackgroundWork(context.database, 'runTotals'))
      while (!stopping.signal.aborted && (await countSettledRuns(context.database, context.now())) === COUNTED_AT_ONCE);
    if (await hasBackgroundWork(context.database, 'lessonTotals')) await mergeLessonTotals(context.database);
    if (await hasBackgroundWork(context.database, 'texts')) await makeSearchable(context, stopping.signal);
  }
  const looking = setInterval(() => {
    underWay ??= look()
      .catch((error: unknown) => getLog().error('measures', error))
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
