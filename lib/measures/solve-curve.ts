import type { BatchReport } from './batch-report.ts';
import { type Interval, wilsonInterval } from './wilson-interval.ts';

/** How many of the runs were solved by a version, as a count and as a share with its 95 % interval. */
export type SolvedBy = Interval & { solved: number };

/** One point of a solve curve: `ever` = version `version` or an earlier one was satisfactory, `current` = that version, or the last before it, is. */
export type SolveCurvePoint = { version: number; n: number; ever: SolvedBy; current: SolvedBy };

/** The points of a solve curve out of a batch's counts, one a version from 0; none without runs. */
export function solveCurve(
  report: Pick<BatchReport, 'total' | 'solvedByIteration' | 'currentByIteration'>,
): SolveCurvePoint[] {
  return report.solvedByIteration.flatMap((solved, version) => {
    const now = report.currentByIteration[version] ?? 0;
    const [ever, current] = [wilsonInterval(solved, report.total), wilsonInterval(now, report.total)];
    if (ever === null || current === null) return [];
    return [{ version, n: report.total, ever: { solved, ...ever }, current: { solved: now, ...current } }];
  });
}
