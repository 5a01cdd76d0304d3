import { Button } from '#components/ui/button.tsx';
import type { Split } from '#lib/core/history.ts';
import { MIN_CHANGED_CASES } from '#lib/core/tuning/paired-evidence.ts';

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
