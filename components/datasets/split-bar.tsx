import { classNames } from '#components/ui/class-names.ts';
import type { Split } from '#lib/core/history.ts';
import { formatCount } from '#lib/format.ts';

const BAR = 'h-2 overflow-hidden rounded-[1px] bg-line';
const SIDES = {
  train: 'bg-ink-3',
  validation: 'bg-ink-3 opacity-55',
  heldOut:
    'bg-[repeating-linear-gradient(135deg,var(--ink-3)_0_1px,transparent_1px_4px)] shadow-[inset_0_0_0_1px_var(--ink-3)]',
};

/** Legend swatch for a split in a `SplitBar`. */
export function SplitSwatch({ side }: { side: keyof typeof SIDES }) {
  return (
    <span className={classNames(BAR, 'inline-flex w-6 align-middle')} aria-hidden>
      <i className={classNames(SIDES[side], 'flex-1')} />
    </span>
  );
}

/** Bar of the splits of a dataset: solid for train, paler for validation, hatched for held-out, empty for unassigned. */
export function SplitBar({ sides, className }: { sides: DatasetSplitCounts; className?: string }) {
  const { caseCount, train, validation, heldOut } = sides;
  return (
    <span className={classNames(BAR, 'flex min-w-16', className)} role="img" aria-label={splitLabel(sides)}>
      <i className={SIDES.train} style={{ flex: train }} />
      <i className={SIDES.validation} style={{ flex: validation }} />
      <i className={SIDES.heldOut} style={{ flex: heldOut }} />
      <i style={{ flex: Math.max(0, caseCount - train - validation - heldOut) }} />
    </span>
  );
}

export type DatasetSplitCounts = { caseCount: number; train: number; validation: number; heldOut: number };

/** Labels of the splits. A tuning run assigns unassigned cases to splits. */
export const SPLIT_LABELS: Record<Split | 'undivided', string> = {
  train: 'training',
  validation: 'validation',
  held_out: 'held out',
  undivided: 'unassigned',
};

/** Returns the split counts as text: `18 training, 6 held out`. Omits empty splits, except held-out. */
export function splitLabel({ caseCount, train, validation, heldOut }: DatasetSplitCounts): string {
  const undivided = caseCount - train - validation - heldOut;
  if (caseCount > 0 && undivided === caseCount) return 'unassigned';
  const sides: [number, string][] = [
    [train, SPLIT_LABELS.train],
    [validation, SPLIT_LABELS.validation],
    [heldOut, SPLIT_LABELS.held_out],
    [undivided, SPLIT_LABELS.undivided],
  ];
  return sides
    .filter(([count, label]) => count > 0 || label === SPLIT_LABELS.held_out)
    .map(([count, label]) => `${formatCount(count)} ${label}`)
    .join(', ');
}
