import type { StopReason } from '#lib/core/history.ts';
import { type Interval, wilsonInterval } from './wilson-interval.ts';

/** Rules that end a loop because it is good enough, or because going on is of no use. */
export const EARLY_STOPS: readonly StopReason[] = [
  'quality_met',
  'semantic_stability',
  'repeated_issues',
  'oscillation',
  'plateau',
  'diminishing',
];
/** Rules that end it because there may be no more. */
export const CAP_STOPS: readonly StopReason[] = [
  'max_iterations',
  'call_budget',
  'token_budget',
  'cost_budget',
  'time_budget',
  'experiment_budget',
  'month_budget',
];
/** What share of runs is to end by a rule rather than at a cap: the target of the source document. */
export const ENDED_BY_RULE_TARGET = 0.9;

/**
 * How many runs ended when they were good enough or going on was of no use, rather than at a cap, out of how many stopped for which reason.
 * Runs that a person ended, or that failed, count neither way; of those of which nothing was scored no rule can tell, so they are not to be
 * among the reasons. Null where none counts.
 */
export function endedByRule(
  stopReasons: Readonly<Record<string, number>>,
): (Interval & { met: number; n: number }) | null {
  const count = (reasons: readonly StopReason[]) =>
    reasons.reduce((sum, reason) => sum + (stopReasons[reason] ?? 0), 0);
  const met = count(EARLY_STOPS);
  const n = met + count(CAP_STOPS);
  const interval = wilsonInterval(met, n);
  return interval === null ? null : { met, n, ...interval };
}
