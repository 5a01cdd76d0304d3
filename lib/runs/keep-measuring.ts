import { mergeLessonTotals } from '#lib/db/count-lessons.ts';
import { countSettledRuns } from '#lib/db/run-totals.ts';
import { getLog } from '#lib/log/log.ts';
import { makeSearchable, measureRuns } from './measure-runs.ts';
import type { Workshop } from './workshop.ts';

/** How often it is looked for texts to make searchable, in milliseconds. */
const LOOK_MS = 2_000;
/** How often it is looked for runs without measures, which goes through all runs. */
const SURVEY_MS = 20_000;

/** Fills in what ended runs come to, keeps totals of runs and lessons, and makes their texts searchable, from now on. Answers how to stop, which waits for what is under way. */
export function keepMeasuring(workshop: Workshop): () => Promise<void> {
  const stopping = new AbortController();
  let underWay: Promise<unknown> | null = null;
  let surveyedAt = Number.NEGATIVE_INFINITY;
  async function look(): Promise<void> {
    if (performance.now() - surveyedAt >= SURVEY_MS) {
      await measureRuns(workshop, stopping.signal);
      surveyedAt = performance.now();
    }
    while (!stopping.signal.aborted && (await countSettledRuns(workshop.database, workshop.now())) > 0);
    await mergeLessonTotals(workshop.database);
    await makeSearchable(workshop, stopping.signal);
  }
  const looking = setInterval(() => {
    underWay ??= look()
      .catch((error: unknown) => getLog().error('measures', error))
      .finally(() => {
        underWay = null;
      });
  }, LOOK_MS).unref();
  return async () => {
    stopping.abort();
    clearInterval(looking);
    await underWay;
  };
}
