import type { Split } from '#lib/core/history.ts';
import { formatCount } from '#lib/format.ts';

/** How many cases are on which side. */
export type SidesOfDataset = { caseCount: number; train: number; validation: number; heldOut: number };

/** What a case is for, in the words of the pages; a case on no side is divided by the tuning run itself. */
export const SPLIT_LABELS: Record<Split | 'undivided', string> = {
  train: 'training',
  validation: 'validation',
  held_out: 'held out',
  undivided: 'unassigned',
};

/** The sides in words: `18 tune on, 6 held out`. Sides without cases are left out, but for what is held out. */
export function splitLabel({ caseCount, train, validation, heldOut }: SidesOfDataset): string {
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
