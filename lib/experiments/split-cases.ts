import type { Case } from '#lib/core/case.ts';
import type { Split, TuningCase } from '#lib/core/history.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { isAnchor } from '#lib/core/tuning/anchors.ts';
import { weighedCases, weightProblem } from '#lib/core/tuning/case-weights.ts';
import { shuffled } from '#lib/core/tuning/minibatch.ts';
import { taggedSplit } from '#lib/datasets/split-tags.ts';

/** Maximum number of cases in a tuning run. */
export const MAX_TUNING_CASES = 2_000;

/**
 * Assigns the cases of a tuning run to splits, in case order. Tags (`train`, `validation`, `held_out` or `held-out`) decide. With several,
 * the most protected split wins. Anchor cases (`anchor`) go to validation if it has any cases.
 * The rest is drawn with the seed until the shares are reached: `heldOutShare` of all cases, `validationShare` of the remaining ones. At
 * least one case remains for training, unless tags assign all. Weights come from `weightKey`.
 */
export function splitCases(cases: readonly Case[], tune: ExperimentSettings['tune']): TuningCase[] {
  const isValidated = tune.validationShare > 0 || cases.some((one) => taggedSplit(one) === 'validation');
  const placed = cases.map((one, position) => {
    const anchored = isAnchor(one) ? (isValidated ? 'validation' : 'train') : null;
    return { one, position, tagged: taggedSplit(one) ?? anchored };
  });
  const count = (split: Split) => placed.filter(({ tagged }) => tagged === split).length;
  const free = placed.filter(({ tagged }) => tagged === null).map(({ position }) => position);
  const spare = count('train') > 0 ? free.length : Math.max(0, free.length - 1);
  const heldOut = atMost(Math.round(tune.heldOutShare * cases.length) - count('held_out'), spare);
  const notHeldOut = cases.length - count('held_out') - heldOut;
  const validation = atMost(Math.round(tune.validationShare * notHeldOut) - count('validation'), spare - heldOut);

  const order = shuffled(free, String, 'split', String(tune.seed));
  const drawn = new Map<number, Split>();
  for (const [index, position] of order.entries()) {
    drawn.set(position, index < heldOut ? 'held_out' : index < heldOut + validation ? 'validation' : 'train');
  }
  const split = placed.map(({ one, position, tagged }) => ({
    ...one,
    position,
    split: tagged ?? drawn.get(position) ?? 'train',
  }));
  return weighedCases(split, tune);
}

/** Returns the reason why these cases cannot be used for tuning, or null. */
export function splitProblem(
  cases: readonly TuningCase[],
  { strategy, weightKey }: Pick<ExperimentSettings['tune'], 'strategy' | 'weightKey'>,
): string | null {
  if (cases.length === 0) return 'A tuning run needs at least one case.';
  if (cases.length > MAX_TUNING_CASES)
    return `A tuning run takes at most ${MAX_TUNING_CASES} cases. The dataset has ${cases.length}.`;
  if (!cases.some(({ split }) => split === 'train'))
    return 'No case is left for training: take the tag validation or held_out off at least one of them.';
  if (strategy === 'few_shot' && !cases.some(({ split }) => split === 'validation'))
    return 'The strategy few_shot needs validation cases, because training cases become examples: set tune.validationShare above 0, or tag cases with validation.';
  for (const one of cases) {
    const problem = weightProblem(one, { weightKey });
    if (problem !== null) return `Case ${one.position + 1}: ${problem}.`;
  }
  return null;
}

function atMost(wanted: number, most: number): number {
  return Math.max(0, Math.min(wanted, most));
}
