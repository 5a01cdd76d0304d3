import type { ExperimentSettings } from '#lib/core/settings.ts';
import { callsByRole } from './calls-by-role.ts';

/** The fewest and about the most model calls of one run. */
export type CallRange = { lowest: number; highest: number };

/**
 * How many model calls a run takes under some settings: the fewest where the first version is good enough, the most where the cap is
 * reached. Replies that are asked for again, and reflections on a fall or an error, come on top. Throws for a tuning run, whose calls
 * go by its cases: see `callsOfTuning`.
 */
export function callsOfRun(settings: ExperimentSettings): CallRange {
  return sumOfCalls([...callsByRole(settings, null).values()]);
}

/** All of them together. */
export function sumOfCalls(ranges: readonly CallRange[]): CallRange {
  return ranges.reduce(
    (sum, { lowest, highest }) => ({ lowest: sum.lowest + lowest, highest: sum.highest + highest }),
    { lowest: 0, highest: 0 },
  );
}
