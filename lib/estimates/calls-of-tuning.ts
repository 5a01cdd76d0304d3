import { callsOfEvaluation } from '#lib/core/calls-of-evaluation.ts';
import type { Split } from '#lib/core/history.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { CallRange } from './calls-of-run.ts';

/** How many cases there are of each split, as `splitCases` makes them. */
export type SplitCounts = Record<Split, number>;

/**
 * How many model calls a tuning run takes: the fewest where the given prompt is good enough at once, the most where every proposal
 * comes as far as validation, which is drawn anew; never more than its budget of calls. Replies that are asked for again come on top, those that were paid
 * for before are taken off.
 */
export function callsOfTuning(settings: ExperimentSettings, cases: SplitCounts): CallRange {
  const perTry = 1 + callsOfEvaluation(settings);
  const validation = cases.validation > 0 ? cases.validation : cases.train;
  const minibatch = Math.min(settings.tune.minibatchSize, cases.train);
  const first = (validation + cases.held_out) * perTry;
  // The parent and the proposal on the minibatch, the proposal itself, and its validation.
  const round = 2 * minibatch * perTry + 1 + validation * perTry;
  // Every prompt on the cases that join a validation set drawn anew: as many as half the old set at most.
  const redrawn =
    settings.maxIterations * Math.min(Math.ceil(cases.validation / 2), Math.max(0, cases.train - minibatch)) * perTry;
  const most =
    first + settings.maxIterations * round + redrawn + (settings.maxIterations > 0 ? cases.held_out * perTry : 0);
  const budget = settings.budget.maxCalls ?? Number.POSITIVE_INFINITY;
  return { lowest: Math.min(first, budget), highest: Math.min(most, budget) };
}
