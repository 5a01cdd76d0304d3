import type { Case } from '#lib/core/case.ts';
import type { Split } from '#lib/core/history.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { FEWEST_CHANGED } from '#lib/core/tuning/paired-evidence.ts';
import { splitCases } from '#lib/experiments/split-cases.ts';

/** A dataset with how many of its cases say by a tag where they belong; the others are shared out. */
export type TunableDataset = { id: string; name: string; caseCount: number; tagged: Record<Split, number> };
type CountedCases = Pick<TunableDataset, 'caseCount' | 'tagged'>;

/** The share that holds out just enough cases to confirm a gain. Null if tags leave too few, and if too few would be left to train and validate on. */
export function shareToHoldOut(tune: ExperimentSettings['tune'], dataset: CountedCases): number | null {
  const { caseCount } = dataset;
  if (caseCount < 2 * FEWEST_CHANGED) return null;
  const shares = [100, 1_000, 10_000].map((of) => Math.ceil((of * (FEWEST_CHANGED - 0.5)) / caseCount) / of);
  const isEnough = (heldOutShare: number) =>
    countSplits({ ...tune, heldOutShare }, dataset).held_out === FEWEST_CHANGED;
  return shares.find(isEnough) ?? null;
}

/** How many cases of a dataset are for what under some settings. */
export function countSplits(tune: ExperimentSettings['tune'], dataset: CountedCases): Record<Split, number> {
  const { train, validation, held_out: heldOut } = dataset.tagged;
  const tags = [
    ...Array.from({ length: train }, () => ['train']),
    ...Array.from({ length: validation }, () => ['validation']),
    ...Array.from({ length: heldOut }, () => ['held_out']),
  ];
  const cases = Array.from(
    { length: dataset.caseCount },
    (_, at): Case => ({ input: '', reference: null, tags: tags[at] ?? [], metadata: {} }),
  );
  const counts: Record<Split, number> = { train: 0, validation: 0, held_out: 0 };
  for (const { split } of splitCases(cases, tune)) counts[split] += 1;
  return counts;
}
