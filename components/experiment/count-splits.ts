import type { Case } from '#lib/core/case.ts';
import type { Split } from '#lib/core/history.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { FEWEST_CHANGED } from '#lib/core/tuning/paired-evidence.ts';
import { splitCases } from '#lib/experiments/split-cases.ts';

/** A dataset with how many of its cases say by a tag where they belong; the others are shared out. */
export type TunableDataset = { id: string; name: string; caseCount: number; tagged: Record<Split, number> };

/**
 * The share that holds out enough of so many cases to confirm a gain, in hundredths; null if too few would be left to train and validate
 * on.
 */
export function shareToHoldOut(caseCount: number): number | null {
  if (caseCount < 2 * FEWEST_CHANGED) return null;
  return Math.ceil((100 * (FEWEST_CHANGED - 0.5)) / caseCount) / 100;
}

/** How many cases of a dataset are for what under some settings. */
export function countSplits(
  tune: ExperimentSettings['tune'],
  dataset: Pick<TunableDataset, 'caseCount' | 'tagged'>,
): Record<Split, number> {
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
