import { Button } from '#components/ui/button.tsx';
import type { Case } from '#lib/core/case.ts';
import type { Split } from '#lib/core/history.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { MIN_CHANGED_CASES } from '#lib/core/tuning/paired-evidence.ts';
import { splitCases } from '#lib/experiments/split-cases.ts';

type SplitCountsProps = {
  counts: Record<Split, number>;
  /** Sets the share that holds out enough cases to confirm a gain. Omitted if the shares cannot be changed. */
  onHoldOut?: (() => void) | undefined;
};

/** Shows the number of cases per split, and the results that too few cases make impossible. */
export function SplitCounts({ counts, onHoldOut }: SplitCountsProps) {
  const { train, validation, held_out: heldOut } = counts;
  return (
    <>
      <span>
        <b>{train}</b> training, <b>{validation}</b> validation, <b>{heldOut}</b> held out
      </span>
      {train === 0 ? <span className="text-sm text-worse">✕ Tuning requires at least one training case.</span> : null}
      {validation === 0 && train > 0 ? (
        <span className="text-ink-2 text-sm">Without validation cases, candidates are chosen by training cases.</span>
      ) : null}
      {validation > 0 && validation < MIN_CHANGED_CASES ? (
        <span className="text-ink-2 text-sm">
          With fewer than {MIN_CHANGED_CASES} validation cases, no proposal can be shown to be better than its parent.
        </span>
      ) : null}
      {heldOut < MIN_CHANGED_CASES ? (
        <span className="text-sm text-wait">
          With fewer than {MIN_CHANGED_CASES} held-out cases, a gain usually cannot be confirmed.{' '}
          {onHoldOut ? (
            <Button size="small" onClick={onHoldOut}>
              Hold out {MIN_CHANGED_CASES} cases
            </Button>
          ) : null}
        </span>
      ) : null}
    </>
  );
}

/** Dataset with the number of cases tagged for each split. The other cases are split automatically. */
export type TunableDataset = { id: string; name: string; caseCount: number; tagged: Record<Split, number> };
type CountedCases = Pick<TunableDataset, 'caseCount' | 'tagged'>;

/**
 * Returns the share that holds out just enough cases to confirm a gain. Null if tags leave too few cases, or if too few remain for training
 * and validation.
 */
export function shareToHoldOut(tune: ExperimentSettings['tune'], dataset: CountedCases): number | null {
  const { caseCount } = dataset;
  if (caseCount < 2 * MIN_CHANGED_CASES) return null;
  const shares = [100, 1_000, 10_000].map((of) => Math.ceil((of * (MIN_CHANGED_CASES - 0.5)) / caseCount) / of);
  const isEnough = (heldOutShare: number) =>
    countSplits({ ...tune, heldOutShare }, dataset).held_out === MIN_CHANGED_CASES;
  return shares.find(isEnough) ?? null;
}

/** Counts the cases of a dataset per split under the given settings. */
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
