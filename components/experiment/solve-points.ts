import type { BatchReport } from '#lib/measures/batch-report.ts';
import { wilsonInterval } from '#lib/measures/wilson-interval.ts';

/** Cases solved by one attempt or version, as a count, a share from 0 to 1, and the 95 % bounds of the share. */
export type SolvePoint = { label: string; solved: number; share: number; bounds: [number, number] };

/** The points of a solve curve. Attempts count from 1; versions of a revised text are named v0, v1 and so on. */
export function solvePoints(
  report: Pick<BatchReport, 'total' | 'solvedByIteration'>,
  mode: 'revise' | 'retry' | 'tune',
): SolvePoint[] {
  return report.solvedByIteration.flatMap((solved, index) => {
    const interval = wilsonInterval(solved, report.total);
    if (interval === null) return [];
    return [
      {
        label: mode === 'retry' ? String(index + 1) : `v${index}`,
        solved,
        share: interval.share,
        bounds: [interval.low, interval.high],
      },
    ];
  });
}
