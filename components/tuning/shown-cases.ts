import type { Split } from '#lib/core/history.ts';
import type { CaseGrid, GridCase, GridCell } from './tuning-grid.ts';

export type CaseFilter = {
  split: Split | 'all';
  /** Filter by the change from the parent to the chosen prompt: `up` is fixed or better, `down` is broken or worse. */
  change: 'any' | 'up' | 'down';
  selected: number | null;
  parent: number | null;
};
type ShownCase = GridCase & { index: number; change: CaseChange | null };

/** Returns the cases that match a filter, each with its index in the grid and its change. */
export function shownCases(
  { cases, columns }: Pick<CaseGrid, 'cases' | 'columns'>,
  { split, change, selected, parent }: CaseFilter,
): ShownCase[] {
  const [before, after] = [parent, selected].map((version) => columns.find((column) => column.version === version));
  return cases.flatMap((one, index) => {
    if (split !== 'all' && one.split !== split) return [];
    const became = caseChange(before?.cells[index], after?.cells[index]);
    if (change === 'up' && became !== 'fixed' && became !== 'better') return [];
    if (change === 'down' && became !== 'broken' && became !== 'worse') return [];
    return [{ ...one, index, change: became }];
  });
}

/** Change of a case between two prompts. */
export type CaseChange = 'fixed' | 'better' | 'same' | 'worse' | 'broken';

type Judged = Omit<GridCell, 'isLead'>;

/**
 * Returns the change of a case between two prompts, or null if either has no score. `fixed` and `broken` cross the threshold; `better` and
 * `worse` only change the score.
 */
export function caseChange(before: Judged | undefined, after: Judged | undefined): CaseChange | null {
  if (before === undefined || after === undefined || before.score === null || after.score === null) return null;
  if (before.isGood !== after.isGood) return after.isGood ? 'fixed' : 'broken';
  if (after.score === before.score) return 'same';
  return after.score > before.score ? 'better' : 'worse';
}
