import type { GridCell } from './tuning-grid.ts';

/** What became of a case from one prompt to another; null where one of them was not tried on it or not scored. */
export type CaseChange = 'fixed' | 'better' | 'same' | 'worse' | 'broken';

/** `fixed` and `broken` cross the line of what is good; `better` and `worse` only change the score. */
export function caseChange(before: GridCell | undefined, after: GridCell | undefined): CaseChange | null {
  if (before === undefined || after === undefined || before.score === null || after.score === null) return null;
  if (before.isGood !== after.isGood) return after.isGood ? 'fixed' : 'broken';
  if (after.score === before.score) return 'same';
  return after.score > before.score ? 'better' : 'worse';
}
