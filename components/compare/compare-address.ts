import { address } from '#components/layout/pager.tsx';
import type { CaseChangeKind } from '#lib/compare/schema.ts';
import type { ComparedMetric } from '#lib/statistics/paired-verdict.ts';

/** Filter of the case list: cases with the change `kind` on the arm at `armIndex`, from 1. */
export type ShownChange = { armIndex: number; kind: CaseChangeKind };

/** State of a comparison in its page URL. `metric`: null if the metric is chosen from the data. */
export type CompareState = { arms: readonly string[]; metric: ComparedMetric | null; shown: ShownChange | null };

/** Returns the URL of a comparison. The first arm in `of` is the baseline. */
export function compareAddress({ arms, metric, shown }: CompareState): string {
  return address('/compare', compareParams({ arms, metric, shown })).replaceAll('%2C', ',').replaceAll('%40', '@');
}

/** Returns the query parameters of a comparison, for URLs that add more. */
export function compareParams({ arms, metric, shown }: CompareState): Record<string, string | null> {
  return {
    of: arms.length === 0 ? null : arms.join(','),
    metric,
    show: shown === null ? null : `${armLetter(shown.armIndex).toLowerCase()}-${shown.kind}`,
  };
}

const LETTERS = 'ABCDE';

/** Returns the letter of an arm. The baseline, at index 0, is A. */
export function armLetter(index: number): string {
  return LETTERS[index] ?? '?';
}
