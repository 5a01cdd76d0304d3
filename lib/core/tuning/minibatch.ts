import type { History, Version } from '#lib/core/history.ts';
import { roundTo6 } from '#lib/core/round.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { seededNumber } from '#lib/core/text-values.ts';
import { effectiveScores, isPerfect, positionsOf, type TriedHistory } from './case-scores.ts';
import { sumOf, weightsAt } from './case-weights.ts';

/** Returns the items in a pseudo-random order that only depends on the keys and each item's name. */
export function shuffled<Item>(items: readonly Item[], nameOf: (item: Item) => string, ...keys: string[]): Item[] {
  return items
    .map((item, index) => ({ item, index, lot: seededNumber(...keys, nameOf(item)) }))
    .sort((one, other) => one.lot - other.lot || one.index - other.index)
    .map(({ item }) => item);
}

/**
 * Returns the training cases of a round (from 0), by position. Each epoch uses all of them once, in a different order by seed. Its last
 * minibatch is filled up from the start of the epoch. With `failures`, up to half of the cases are replaced by some that `parent` failed
 * when last scored on them, different ones in each round. All training cases are then still used, over more rounds.
 */
export function minibatch(
  history: TriedHistory,
  { tune }: Pick<ExperimentSettings, 'tune'>,
  round: number,
  parent: number,
): number[] {
  const train = positionsOf(history, 'train');
  const size = Math.min(tune.minibatchSize, train.length);
  const ofEpoch = casesOfEpoch(tune, size);
  const rounds = roundsOfEpoch(history, { tune });
  const epoch = String(Math.floor(round / rounds));
  const order = shuffled(train, String, 'minibatch', String(tune.seed), epoch);
  const start = (round % rounds) * ofEpoch;
  const due = [...order.slice(start), ...order];
  const next = due.slice(0, ofEpoch);
  if (ofEpoch === size) return next;
  const tries = effectiveScores(history, parent);
  const hasFailed = (position: number) =>
    (tries.get(position)?.score ?? null) !== null && !isPerfect(tries.get(position));
  const failures = shuffled(train.filter(hasFailed), String, 'failures', String(tune.seed), epoch);
  const first = failures.length === 0 ? 0 : (round * (size - ofEpoch)) % failures.length;
  const more = [...failures.slice(first), ...failures.slice(0, first)].filter((position) => !next.includes(position));
  return [...new Set([...next, ...more.slice(0, size - ofEpoch), ...due])].slice(0, size);
}

/** Returns the number of cases in a minibatch of this size that continue the epoch. */
function casesOfEpoch({ minibatches }: Pick<ExperimentSettings['tune'], 'minibatches'>, size: number): number {
  return minibatches === 'failures' ? Math.ceil(size / 2) : size;
}

const MAX_FIRST_PROMPT_CASES = 8;

/** Returns the positions of the training cases in the request for a first prompt, shuffled by the seed. */
export function firstPromptCases(
  history: Pick<History, 'cases'>,
  { tune }: Pick<ExperimentSettings, 'tune'>,
): number[] {
  return shuffled(positionsOf(history, 'train'), String, 'first prompt', String(tune.seed)).slice(
    0,
    MAX_FIRST_PROMPT_CASES,
  );
}

/** Returns the number of rounds in which every training case is used. */
export function roundsOfEpoch(history: Pick<History, 'cases'>, { tune }: Pick<ExperimentSettings, 'tune'>): number {
  const train = positionsOf(history, 'train').length;
  const size = Math.min(tune.minibatchSize, train);
  return Math.max(1, Math.ceil(train / Math.max(1, casesOfEpoch(tune, size))));
}

/** Scores over the training cases of a proposal, its parent's and its own: the weighted mean times the number of cases. */
type MinibatchResult = { positions: number[]; before: number; after: number };

/**
 * Returns the scores of a proposal and its parent (of a merge, the better one) on the minibatch. Null without a minibatch, and until both
 * are scored on all of it.
 */
export function minibatchResult(
  history: TriedHistory,
  { number, parents, proposal }: Pick<Version, 'number' | 'parents' | 'proposal'>,
): MinibatchResult | null {
  const [parent] = parents;
  if (proposal === null || parent === undefined || proposal.positions.length === 0) return null;
  const before = proposal.merged
    ? bestOf(parents.map((one) => sumOver(history, one, proposal.positions)))
    : sumOver(history, parent, proposal.positions);
  const after = sumOver(history, number, proposal.positions);
  return before === null || after === null ? null : { positions: proposal.positions, before, after };
}

function bestOf(sums: (number | null)[]): number | null {
  return sums.reduce((best, sum) => (best === null || sum === null ? null : Math.max(best, sum)));
}

function sumOver(history: TriedHistory, version: number, positions: number[]): number | null {
  const tries = effectiveScores(history, version);
  const weights = weightsAt(history, positions);
  const share = weights === null ? 1 : positions.length / sumOf(weights);
  let sum = 0;
  for (const [index, position] of positions.entries()) {
    const score = tries.get(position)?.score ?? null;
    if (score === null) return null;
    sum += score * (weights?.[index] ?? 1);
  }
  return roundTo6(sum * share);
}
