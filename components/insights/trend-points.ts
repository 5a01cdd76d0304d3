import { toStretches } from '#components/ui/sparkline.tsx';
import { formatCount, formatMoney, formatPercent, formatScore } from '#lib/format.ts';
import type { TrendPoint } from '#lib/insights/schema.ts';

/** Value at a point on the time axis. `short`: its axis label. */
export type TrendValue = {
  name: string;
  short: string;
  n: number;
  value: number | null;
  low: number | null;
  high: number | null;
};

/** Measures shown over time, in display order. */
export const TREND_MEASURES = ['solved', 'score', 'cost'] as const;
export type TrendMeasure = (typeof TREND_MEASURES)[number];

export const MEASURE_LABELS: Record<TrendMeasure, { title: string; format: (value: number) => string }> = {
  solved: { title: 'Success rate', format: formatPercent },
  score: { title: 'Mean best score', format: formatScore },
  cost: { title: 'Cost per run', format: formatMoney },
};

/** Returns the values of a measure with n and interval. Null if nothing was scored or priced. */
export function trendValues(points: readonly TrendPoint[], measure: TrendMeasure): TrendValue[] {
  return points.map(({ label, solved, score, costUsd }) => {
    const at = { name: label, short: shortName(label) };
    if (measure === 'solved') {
      const { interval, of } = solved;
      return { ...at, n: of, value: interval?.share ?? null, low: interval?.low ?? null, high: interval?.high ?? null };
    }
    const mean = measure === 'score' ? score : costUsd;
    return { ...at, n: mean?.n ?? 0, value: mean?.mean ?? null, low: mean?.low ?? null, high: mean?.high ?? null };
  });
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Returns `2026-11-23` as `23 Nov`. Returns version labels unchanged. */
function shortName(label: string): string {
  const [, month, day] = /^\d{4}-(\d\d)-(\d\d)$/.exec(label) ?? [];
  return month === undefined ? label : `${Number(day)} ${MONTHS[Number(month) - 1]}`;
}

/** Returns the line segments as lists of indexes. A null value starts a new segment. Single points are omitted. */
export function pathsWithGaps(values: readonly Pick<TrendValue, 'value'>[]): number[][] {
  const parts = toStretches(values.map(({ value }) => value)).filter((part) => part.length > 1);
  return parts.map((part) => part.map(({ index }) => index));
}

/** Returns the axis maximum that covers all values and intervals: 1 for shares and scores, else a round number. */
export function axisTop(values: readonly TrendValue[], measure: TrendMeasure): number {
  if (measure !== 'cost') return 1;
  const most = Math.max(0, ...values.map(({ value, high }) => high ?? value ?? 0));
  if (most === 0) return 1;
  const unit = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 5].find((step) => step * unit >= most) ?? 10) * unit;
}

/** Returns the current value and its change as a sentence. Reports a change only if the two intervals do not overlap. */
export function trendHeadline(points: readonly TrendPoint[], measure: TrendMeasure, per: 'week' | 'version'): string {
  const known = trendValues(points, measure).flatMap((one) =>
    one.value === null ? [] : [{ ...one, value: one.value }],
  );
  const last = known.at(-1);
  if (last === undefined) return measure === 'cost' ? 'No run had a known price.' : 'No run was scored.';
  const first = known[0] ?? last;
  const now = `${bounded(last, measure)} ${per === 'week' ? `in the week of ${last.short}` : `under ${last.name}`}`;
  if (first === last) return `${capitalizeFirst(now)}.`;
  const before = `${MEASURE_LABELS[measure].format(first.value)} ${per === 'week' ? `in the week of ${first.short}` : `under ${first.name}`}`;
  return `${capitalizeFirst(now)}, ${movement(first, last)} ${before}.`;
}

type Known = TrendValue & { value: number };

function bounded({ value, low, high, n }: Known, measure: TrendMeasure): string {
  const { format } = MEASURE_LABELS[measure];
  const interval = low === null || high === null ? '' : `, ${format(low)} to ${format(high)}`;
  return `${format(value)} (n ${formatCount(n)}${interval})`;
}

function movement(first: Known, last: Known): string {
  const isDistinct =
    first.low !== null &&
    first.high !== null &&
    last.low !== null &&
    last.high !== null &&
    (last.low > first.high || last.high < first.low);
  if (!isDistinct) return 'within noise of';
  return last.value > first.value ? 'up from' : 'down from';
}

function capitalizeFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
