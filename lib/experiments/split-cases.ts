import type { Case } from '#lib/core/case.ts';
import type { Split, TuningCase } from '#lib/core/history.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { shuffled } from '#lib/core/tuning/shuffled.ts';
import { taggedSplit } from '#lib/datasets/tagged-split.ts';

/** The most cases a tuning run may have. */
export const MOST_TUNING_CASES = 2_000;

/**
 * The cases of a tuning run with what each is for, in their order. Tags (`train`, `validation`, `held_out` or `held-out`) decide; of
 * several the most guarded counts. The rest is drawn by the seed until the shares are reached: `heldOutShare` of all cases,
 * `validationShare` of those that are not held out. One case at least is left for training, unless tags take them all.
 */
export function splitCases(cases: readonly Case[], tune: ExperimentSettings['tune']): TuningCase[] {
  const placed = cases.map((one, position) => ({ one, position, tagged: taggedSplit(one) }));
  const count = (split: Split) => placed.filter(({ tagged }) => tagged === split).length;
  const free = placed.filter(({ tagged }) => tagged === null).map(({ position }) => position);
  const spare = count('train') > 0 ? free.length : Math.max(0, free.length - 1);
  const heldOut = atMost(Math.round(tune.heldOutShare * cases.length) - count('held_out'), spare);
  const notHeldOut = cases.length - count('held_out') - heldOut;
  const validation = atMost(Math.round(tune.validationShare * notHeldOut) - count('validation'), spare - heldOut);

  const order = shuffled(free, String, 'split', String(tune.seed));
  const drawn = new Map<number, Split>();
  for (const [place, position] of order.entries()) {
    drawn.set(position, place < heldOut ? 'held_out' : place < heldOut + validation ? 'validation' : 'train');
  }
  return placed.map(({ one, position, tagged }) => ({
    ...one,
    position,
    split: tagged ?? drawn.get(position) ?? 'train',
  }));
}

/** What keeps these cases from being tuned on, in words; null where nothing does. */
export function splitProblem(cases: readonly TuningCase[]): string | null {
  if (cases.length === 0) return 'A tuning run needs at least one case.';
  if (cases.length > MOST_TUNING_CASES)
    return `A tuning run takes at most ${MOST_TUNING_CASES} cases; these are ${cases.length}.`;
  if (!cases.some(({ split }) => split === 'train'))
    return 'No case is left for training: take the tag validation or held_out off at least one of them.';
  return null;
}

function atMost(wanted: number, most: number): number {
  return Math.max(0, Math.min(wanted, most));
}
