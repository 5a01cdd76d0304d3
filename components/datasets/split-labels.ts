import type { Split } from '#lib/core/history.ts';
import { formatCount } from '#lib/format.ts';

/** Number of cases per split. */
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
    .filter(([count, words]) => count > 0 || words === SPLIT_LABELS.held_out)
    .map(([count, words]) => `${formatCount(count)} ${words}`)
    .join(', ');
}
