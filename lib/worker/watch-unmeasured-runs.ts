import type { AppContext } from '#lib/context/app-context.ts';
import { mergeLessonTotals } from '#lib/lessons/write-queries.ts';
import { COUNTED_AT_ONCE, countSettledRuns, makeSearchable, measureRuns, newestRunNumber } from '#lib/runs/measures.ts';
import { hasBackgroundWork } from './background-work.ts';
import { lookRegularly } from './look-regularly.ts';

/** How often it is looked for texts to make searchable, in milliseconds. */
const LOOK_MS = 2_000;
/** How often it is looked for new runs without measures. */
const SURVEY_MS = 20_000;
/** How often all runs are gone through: a process of an older Hone may have ended some of those that were there before. */
const WHOLE_SURVEY_MS = 3_600_000;

/** Fills in what ended runs come to, keeps totals of runs and lessons, and makes their texts searchable, from now on. Answers how to stop, which waits for what is under way. */
export function watchUnmeasuredRuns(context: AppContext, lookMs: number = LOOK_MS): () => Promise<void> {
  let surveyedAt = Number.NEGATIVE_INFINITY;
  let wholeAt = Number.NEGATIVE_INFINITY;
  let from = -1;
  async function survey(signal: AbortSignal): Promise<void> {
    const isWhole = performance.now() - wholeAt >= WHOLE_SURVEY_MS;
    // Read first. A run that has not ended by then is measured by the save that ends it.
    const newest = await newestRunNumber(context.database);
    await measureRuns(context, signal, isWhole ? -1 : from);
    from = newest;
    surveyedAt = performance.now();
    if (isWhole) wholeAt = surveyedAt;
  }
  return lookRegularly('measures', lookMs, async (signal) => {
    if (performance.now() - surveyedAt >= SURVEY_MS) await survey(signal);
    if (await hasBackgroundWork(context.database, 'runTotals'))
      while (!signal.aborted && (await countSettledRuns(context.database, context.now())) === COUNTED_AT_ONCE);
    if (await hasBackgroundWork(context.database, 'lessonTotals')) await mergeLessonTotals(context.database);
    if (await hasBackgroundWork(context.database, 'texts')) await makeSearchable(context, signal);
  });
}
