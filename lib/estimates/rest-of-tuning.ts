import { callsOfEvaluation } from '#lib/core/criterion.ts';
import { callsOfAnswer } from '#lib/core/estimate-next-step.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { callsOfTuning, type SplitCounts } from './calls-of-run.ts';

/** Use of a tuning run so far. The counts of example scores are those of its summary. */
export type TuningSoFar = {
  cases: SplitCounts;
  /** Proposals so far, including those with worked examples: see `iterationsUsed`. */
  iterations: number;
  /** Number of model calls made, without cached responses. */
  calls: number;
  costUsd: number;
  /** True if some call has no known price. */
  unpriced: boolean;
  heldOutTries: number;
  baselineTries: number;
  /** Example scores that made model calls. */
  paidTries: number;
};

/**
 * Estimated use of the rest of a run: `expected` from the proposals so far, `most` if every remaining proposal is validated. Costs are null
 * without prices.
 */
export type RestOfTuning = {
  expected: { calls: number; costUsd: number | null } | null;
  most: { calls: number; costUsd: number | null };
};

/**
 * Estimates the remaining use of a tuning run in progress. Neither estimate exceeds what is left of the call and cost budgets.
 * Expected: each remaining proposal takes the average calls so far, plus the final test of the original and the best prompt on the held-out
 * cases. An agent's example score takes the average calls so far. Null before the first proposal.
 * Most: `callsOfTuning` minus the calls so far. The cost per call is the average so far.
 */
export function restOfTuning(settings: ExperimentSettings, soFar: TuningSoFar): RestOfTuning {
  const { cases, iterations, calls, costUsd, unpriced, heldOutTries, baselineTries } = soFar;
  const perTry = callsOfTry(settings, soFar);
  const { maxCostUsd } = settings.budget;
  const leftUsd = maxCostUsd === null ? Number.POSITIVE_INFINITY : Math.max(0, maxCostUsd - costUsd);
  const most = Math.max(0, callsOfTuning(settings, cases).highest - calls);
  const costOf = (count: number) => (unpriced || calls === 0 ? null : Math.min(leftUsd, (count * costUsd) / calls));
  const finalTest = Math.max(0, 2 * cases.held_out - heldOutTries) * perTry;
  const perProposal = iterations === 0 ? null : Math.max(0, calls - baselineTries * perTry) / iterations;
  const left = Math.max(0, settings.maxIterations - iterations);
  const expected = perProposal === null ? null : Math.min(most, Math.round(left * perProposal + finalTest));
  return {
    expected: expected === null ? null : { calls: expected, costUsd: costOf(expected) },
    most: { calls: most, costUsd: costOf(most) },
  };
}

/** Returns the calls per example score. For an agent, the average so far, assuming one call per proposal. */
function callsOfTry(settings: ExperimentSettings, { calls, iterations, paidTries }: TuningSoFar): number {
  const judged = callsOfEvaluation(settings);
  const average = paidTries === 0 ? 0 : (calls - iterations) / paidTries;
  return Math.min(callsOfAnswer(settings) + judged, Math.max(1 + judged, average));
}
