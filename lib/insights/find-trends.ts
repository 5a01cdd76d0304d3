import { tQuantile } from '#lib/core/student-t.ts';
import type { Database } from '#lib/database/database.ts';
import { wilsonInterval } from '#lib/statistics/intervals.ts';
import { countedShare } from '#lib/statistics/shares.ts';
import { type TrendRow, trendRows } from './find-insights-sums.ts';
import type { ArmsInTime } from './queries.ts';
import type { TrendMean, TrendPoint, Trends } from './schema.ts';

/** Maximum number of weeks shown, and the default range. */
const TREND_WEEKS = 12;
const WEEK_MS = 7 * 86_400_000;

/**
 * Returns success, score and cost by week over the experiments of a scope, and by settings version if a single experiment is selected.
 * Weeks without ended runs are included as gaps.
 */
export async function findTrends(
  database: Pick<Database, 'prisma'>,
  { arms, since }: ArmsInTime,
  experimentId: string | null,
  now: Date,
): Promise<Trends> {
  const ids = arms.map(({ experimentId }) => experimentId);
  const first = beginOfWeek(new Date(Math.max(since?.getTime() ?? 0, now.getTime() - (TREND_WEEKS - 1) * WEEK_MS)));
  const [weeks, versions] = await Promise.all([
    ids.length === 0 ? [] : trendRows(database, { experimentIds: ids, since: first }),
    experimentId === null || ids.length === 0 ? [] : trendRows(database, { experimentId }),
  ]);
  return {
    weeks: everyWeek(first, now).map((week) => pointOf(week, weeks.find(({ key }) => key === week) ?? EMPTY)),
    versions: versions.map((row) => pointOf(`v${row.key}`, row)),
  };
}

const EMPTY: Omit<TrendRow, 'key'> = {
  ...{ ended: 0, unscored: 0, solved: 0, scored: 0, scoreMean: null, scoreDeviation: null },
  ...{ priced: 0, unpriced: 0, costMean: null, costDeviation: null },
};

/** Returns the Monday on or before a moment, in UTC. */
export function beginOfWeek(moment: Date): Date {
  const day = Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate());
  return new Date(day - ((moment.getUTCDay() + 6) % 7) * 86_400_000);
}

/** Returns the Mondays from `first` up to `now`: `2026-11-23`. */
export function everyWeek(first: Date, now: Date): string[] {
  const weeks: string[] = [];
  for (let at = first.getTime(); at <= now.getTime(); at += WEEK_MS)
    weeks.push(new Date(at).toISOString().slice(0, 10));
  return weeks;
}

/** Returns a row with its intervals. Values that were never scored or priced are null. */
export function pointOf(label: string, row: Omit<TrendRow, 'key'>): TrendPoint {
  return {
    label,
    ended: row.ended,
    unscored: row.unscored,
    unpriced: row.unpriced,
    solved: countedShare(row.solved, row.ended - row.unscored),
    score: meanOf(row.scored, row.scoreMean, row.scoreDeviation, { low: 0, high: 1 }),
    costUsd: meanOf(row.priced, row.costMean, row.costDeviation, { low: 0, high: Number.POSITIVE_INFINITY }),
  };
}

/**
 * Returns a mean with its 95 % interval by Student's t, clipped to the possible range. As in `meanInterval`, scores that are all 0 or 1, or
 * all equal, have Wilson's interval. Other equal values have none.
 */
function meanOf(
  n: number,
  mean: number | null,
  deviation: number | null,
  range: { low: number; high: number },
): TrendMean | null {
  if (mean === null || n === 0) return null;
  if (n < 2 || deviation === null) return { n, mean, low: null, high: null };
  const isEqual = deviation < ROUNDING_TOLERANCE;
  // Only scores of 0 and 1 have the largest possible variance for their mean.
  const isZeroOrOne = Math.abs((deviation ** 2 * (n - 1)) / n - mean * (1 - mean)) < ROUNDING_TOLERANCE;
  if (range.high === 1 && (isEqual || isZeroOrOne)) {
    const interval = wilsonInterval(mean * n, n);
    return { n, mean, low: interval?.low ?? null, high: interval?.high ?? null };
  }
  if (isEqual) return { n, mean, low: null, high: null };
  const half = (tQuantile(n - 1) * deviation) / Math.sqrt(n);
  return { n, mean, low: Math.max(range.low, mean - half), high: Math.min(range.high, mean + half) };
}

/** Tolerance for values that PostgreSQL sums in floating point. */
const ROUNDING_TOLERANCE = 1e-9;
