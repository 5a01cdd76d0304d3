import { callsOfEvaluation } from './calls-of-evaluation.ts';
import type { ExperimentSettings } from './settings.ts';

/** The fewest and about the most model calls of one run. */
export type CallRange = { lowest: number; highest: number };

/**
 * How many model calls a run takes under some settings: the fewest where the first version is good enough, the most where the cap is
 * reached. Replies that are asked for again, and reflections on a fall or an error, come on top. Throws for a tuning run, whose calls
 * go by its cases: see `callsOfTuning`.
 */
export function callsOfRun(settings: ExperimentSettings): CallRange {
  if (settings.mode === 'tune') throw new Error("a tuning run's calls go by its cases");
  const made = 1 + callsOfEvaluation(settings);
  const writes = settings.lessons.write !== 'off';
  const atEnd = writes && settings.lessons.reflectOnEnd ? 1 : 0;
  const more =
    settings.mode === 'retry'
      ? (settings.maxAttempts - 1) * (made + (writes ? 1 : 0))
      : settings.maxIterations * (made + 1);
  return { lowest: made + atEnd, highest: made + more + atEnd };
}
