import type { AppContext } from '#lib/context/app-context.ts';
import { digestRun } from '#lib/statistics/digest-run.ts';
import { loadRun } from './load-run.ts';
import { fillSearch, unsearchedRuns } from './search-texts.ts';
import { saveMeasures, unmeasuredRuns } from './unmeasured-runs.ts';

/** How many texts are made searchable at once, in one transaction. */
const PORTION = 20;
/** How many runs without measures are: each look goes through all runs. */
const RUNS_PORTION = 1_000;

/**
 * Works out the measures of ended runs that have none, such as those of an older Hone and imported ones, or that another format of
 * measures was made of. Answers how many were made. Runs up to the number `from` are left alone.
 */
export async function measureRuns(
  { database }: Pick<AppContext, 'database'>,
  signal: AbortSignal,
  from = -1,
): Promise<number> {
  let made = 0;
  let after = from;
  for (;;) {
    const portion = await unmeasuredRuns(database, after, RUNS_PORTION);
    for (const { id, number } of portion) {
      if (signal.aborted) return made;
      after = number;
      const stored = await loadRun(database, id);
      if (
        stored !== null &&
        (await saveMeasures(database, stored, digestRun(stored.history, stored.settings, stored.run)))
      )
        made++;
    }
    if (portion.length < RUNS_PORTION) return made;
  }
}

/** Makes the texts of measured runs searchable that are not so yet. */
export async function makeSearchable({ database }: Pick<AppContext, 'database'>, signal: AbortSignal): Promise<void> {
  for (;;) {
    const portion = await unsearchedRuns(database, PORTION);
    const filled = portion.length === 0 ? 0 : await fillSearch(database, portion);
    if (filled === 0 || portion.length < PORTION || signal.aborted) return;
  }
}
