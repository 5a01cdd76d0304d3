import type { Split } from '#lib/core/history.ts';
import { type CaseChange, caseChange } from './case-change.ts';
import type { GridCase, TuningGrid } from './tuning-grid.ts';

export type CaseFilter = {
  split: Split | 'all';
  /** What became of a case from the parent to the chosen prompt: `up` is fixed or better, `down` broken or worse. */
  change: 'any' | 'up' | 'down';
  selected: number | null;
  parent: number | null;
};
export type ShownCase = GridCase & { change: CaseChange | null };

/** The cases that a filter lets through, each with what became of it. */
export function shownCases({ cases, cells }: TuningGrid, { split, change, selected, parent }: CaseFilter): ShownCase[] {
  return cases.flatMap((one) => {
    if (split !== 'all' && one.split !== split) return [];
    const became =
      selected === null || parent === null
        ? null
        : caseChange(cells[parent]?.[one.position], cells[selected]?.[one.position]);
    if (change === 'up' && became !== 'fixed' && became !== 'better') return [];
    if (change === 'down' && became !== 'broken' && became !== 'worse') return [];
    return [{ ...one, change: became }];
  });
}
