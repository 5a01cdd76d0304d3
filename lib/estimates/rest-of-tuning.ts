import { callsOfEvaluation } from '#lib/core/criterion.ts';
import { callsOfAnswer } from '#lib/core/estimate-next-step.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { callsOfTuning, type SplitCounts } from './calls-of-run.ts';

/** What a tuning run has used. The tries are those of its summary. */
export type TuningSoFar = {
  cases: SplitCounts;
  /** Proposals so far, those with worked examples included: see `iterationsUsed`. */
  iterations: number;
  /** Model calls that were really made. */
  calls: number;
  costUsd: number;
  /** Some call has no known price. */
  unpriced: boolean;
  heldOutTries: number;
  baselineTries: number;
  /** Tries that made calls. */
  paidTries: number;
};

/** Estimated use of the rest of a run: from the proposals so far, and if every remaining proposal is validated. Costs are null without prices. */
export type RestOfTuning = {
  expected: { calls: number; costUsd: number | null } | null;
  most: { calls: number; costUsd: number | null };
};

/**
 * Estimates what a tuning run in progress may still use. Expected: each remaining proposal takes the average calls so far, and the original
 * and the best prompt are tried on the held-out cases. Null before the first proposal. A try by an agent takes the average calls of the
 * tries so far. Most: `callsOfTuning` minus the calls so far. A call costs the average so far. Neither exceeds what is left of the run's
 * budgets of calls and cost.
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

/** Calls of one try. Those of an agent are the average so far, where each proposal took one call. */
function callsOfTry(settings: ExperimentSettings, { calls, iterations, paidTries }: TuningSoFar): number {
  const judged = callsOfEvaluation(settings);
  const average = paidTries === 0 ? 0 : (calls - iterations) / paidTries;
  return Math.min(callsOfAnswer(settings) + judged, Math.max(1 + judged, average));
}
