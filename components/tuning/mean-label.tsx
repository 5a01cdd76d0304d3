import { formatCount, formatScore } from '#lib/format.ts';
import type { MeanInterval } from '#lib/statistics/intervals.ts';

/** Shows a mean with its interval and number of cases: `0.67, 0.35 to 0.88, n 9`. A gap is shown as text, never as a number. */
export function MeanLabel({ mean, gap = 'not tested' }: { mean: MeanInterval | null; gap?: string }) {
  if (mean === null) return <span className="text-ink-3 text-sm">{gap}</span>;
  return (
    <span className="whitespace-nowrap">
      <b className="font-semibold">{formatScore(mean.mean)}</b>{' '}
      <span className="text-ink-3 text-sm">{spreadLabel(mean)}</span>
    </span>
  );
}

/** Returns the interval and the count of a mean: `0.35 to 0.88, n 9`. */
export function spreadLabel({ low, high, n }: MeanInterval): string {
  const spread = low === null || high === null ? '' : `${formatScore(low)} to ${formatScore(high)}, `;
  return `${spread}n ${formatCount(n)}`;
}
