import { formatPercent } from '#lib/format.ts';
import { wilsonInterval } from '#lib/statistics/intervals.ts';

/** How many of the ended runs that say whether their case was solved succeeded, with the 95% interval, and how many are left out: nothing of them was scored. */
export function SuccessCell({ solved, ended, unscored }: { solved: number; ended: number; unscored: number }) {
  const interval = wilsonInterval(solved, ended);
  if (interval === null)
    return <span className="text-ink-3">{unscored > 0 ? `${unscored} unscored` : 'none ended'}</span>;
  return (
    <>
      <b>{formatPercent(interval.share)}</b>{' '}
      <span className="text-ink-3 text-sm max-narrow:hidden" title="95% interval">
        {formatBounds(interval)}
      </span>
      <br />
      <span className="text-ink-3 text-sm">
        {solved} of {ended}
        {unscored > 0 ? `, ${unscored} unscored` : ''}
      </span>
    </>
  );
}

/** The bounds of an interval in percent: `[64, 93]`. */
export function formatBounds({ low, high }: { low: number; high: number }): string {
  return `[${Math.round(low * 100)}, ${Math.round(high * 100)}]`;
}
