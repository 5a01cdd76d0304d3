import { callsOfEvaluation } from '#lib/reflection/calls-of-evaluation.ts';
import type { CallRange } from '#lib/reflection/calls-of-run.ts';
import type { Split } from '#lib/reflection/history.ts';
import type { ExperimentSettings } from '#lib/reflection/settings.ts';

/**
 * How many model calls tuning a prompt on so many cases takes: the fewest where the given prompt is good enough, the most where every
 * proposal is taken and validated. What was paid for before costs nothing; cases that can't be scored are tried once more on top.
 */
export function callsOfTuning(settings: ExperimentSettings, counts: Record<Split, number>): CallRange {
  const aTry = 1 + callsOfEvaluation(settings);
  const isOwn = counts.validation > 0;
  const validation = isOwn ? counts.validation : counts.train;
  const minibatch = Math.min(settings.tune.minibatchSize, counts.train);
  // Where the training cases choose, a minibatch is part of them: nothing is tried twice.
  const aProposal = 1 + (validation + (isOwn ? 2 * minibatch : 0)) * aTry;
  const first = (validation + counts.held_out) * aTry;
  const more = settings.maxIterations * aProposal + (settings.maxIterations > 0 ? counts.held_out * aTry : 0);
  return { lowest: first, highest: first + more };
}
