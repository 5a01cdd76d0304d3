import type { History } from './history.ts';
import type { ExperimentSettings } from './settings.ts';
import { letsGoOn } from './verdicts.ts';

/** How many revisions (revise mode) or attempts (retry mode) the machine has made. */
export function iterationsUsed(history: History): number {
  return history.versions.filter((version) => version.origin === 'revised' || version.origin === 'retried').length;
}

/**
 * How many the run may make: the setting, and one more for each time that anyone but the policy let it go on when the cap had
 * been reached.
 */
export function iterationCap(history: History, settings: ExperimentSettings): number {
  let cap = settings.mode === 'retry' ? settings.maxAttempts : settings.maxIterations;
  for (const decision of history.decisions) {
    if (!letsGoOn(decision)) continue;
    const used = settings.mode === 'retry' ? decision.iteration + 1 : decision.iteration;
    if (used >= cap) cap = used + 1;
  }
  return cap;
}
