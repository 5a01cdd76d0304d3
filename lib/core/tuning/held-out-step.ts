import { bestVersion } from '../best-version.ts';
import { heldBudgets } from '../held-budgets.ts';
import type { History, StopReason } from '../history.ts';
import type { ExperimentSettings } from '../settings.ts';
import { positionsOf } from './cases-of.ts';
import { dueExample, type TryStep } from './due-try.ts';

/** Endings in a run's own course: what was left for the end is done before them. */
const OWN_COURSE: readonly StopReason[] = [
  'user_accepted',
  'quality_met',
  'plateau',
  'nothing_to_mend',
  'max_iterations',
];

/**
 * The last tries of a tuning run that is about to end for `reason`: its first prompt and its best (or the accepted one) on the
 * held-out cases, which nothing was learned or chosen by. Null when they are made, and where the run ends by a budget, a failure or
 * somebody's stop.
 */
export function heldOutStep(
  history: History,
  settings: ExperimentSettings,
  reason: StopReason,
  accepted: number | null,
): TryStep | null {
  if (history.failure !== null || !OWN_COURSE.includes(reason)) return null;
  const positions = positionsOf(history, 'held_out');
  const best = accepted ?? bestVersion(history, settings.bestVersion);
  for (const version of [0, ...(best === null ? [] : [best])]) {
    const due = dueExample(history, version, positions, 'held_out');
    if (due !== null) return heldBudgets(due, history, settings).length > 0 ? null : due;
  }
  return null;
}
