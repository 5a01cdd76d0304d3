import { address } from '#components/layout/pager.tsx';
import type { CaseChangeKind } from '#lib/compare/schema.ts';
import type { ComparedMetric } from '#lib/statistics/paired-verdict.ts';

/** Which cases are listed: those on which the arm at `place` (from 1) came out so. */
export type ShownChange = { place: number; kind: CaseChangeKind };

/** What of a comparison stands in its page's address. `metric`: null where it was left to the numbers. */
export type CompareState = { arms: readonly string[]; metric: ComparedMetric | null; shown: ShownChange | null };

/** The address of a comparison: the baseline is the first of `of`. */
export function compareAddress({ arms, metric, shown }: CompareState): string {
  return address('/compare', compareParams({ arms, metric, shown })).replaceAll('%2C', ',').replaceAll('%40', '@');
}

/** The parameters of that address, for what adds some of its own. */
export function compareParams({ arms, metric, shown }: CompareState): Record<string, string | null> {
  return {
    of: arms.length === 0 ? null : arms.join(','),
    metric,
    show: shown === null ? null : `${armLetter(shown.place).toLowerCase()}-${shown.kind}`,
  };
}

const LETTERS = 'ABCDE';

/** The letter an arm goes by on the page: the baseline, at place 0, is A. */
export function armLetter(place: number): string {
  return LETTERS[place] ?? '?';
}
