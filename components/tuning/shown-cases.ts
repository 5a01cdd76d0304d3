import type { Split } from '#lib/core/history.ts';
import type { CaseGrid, GridCase, GridCell } from './tuning-grid.ts';

export type CaseFilter = {
  split: Split | 'all';
  /** The change of a case from the parent to the chosen prompt: `up` is fixed or better, `down` broken or worse. */
  change: 'any' | 'up' | 'down';
  selected: number | null;
  parent: number | null;
};
type ShownCase = GridCase & { place: number; change: CaseChange | null };

/** The cases that a filter lets through, each with its place in the grid and what became of it. */
export function shownCases(
  { cases, columns }: Pick<CaseGrid, 'cases' | 'columns'>,
  { split, change, selected, parent }: CaseFilter,
): ShownCase[] {
  const [before, after] = [parent, selected].map((version) => columns.find((column) => column.version === version));
  return cases.flatMap((one, place) => {
    if (split !== 'all' && one.split !== split) return [];
    const became = caseChange(before?.cells[place], after?.cells[place]);
    if (change === 'up' && became !== 'fixed' && became !== 'better') return [];
    if (change === 'down' && became !== 'broken' && became !== 'worse') return [];
    return [{ ...one, place, change: became }];
  });
}

/** The change of a case from one prompt to another; null if one of them was not tried on it or not scored. */
export type CaseChange = 'fixed' | 'better' | 'same' | 'worse' | 'broken';

type Judged = Omit<GridCell, 'isLead'>;

/** `fixed` and `broken` cross the line of what is good; `better` and `worse` only change the score. */
export function caseChange(before: Judged | undefined, after: Judged | undefined): CaseChange | null {
  if (before === undefined || after === undefined || before.score === null || after.score === null) return null;
  if (before.isGood !== after.isGood) return after.isGood ? 'fixed' : 'broken';
  if (after.score === before.score) return 'same';
  return after.score > before.score ? 'better' : 'worse';
}
