import { formatPercent } from '#lib/format.ts';
import { wilsonInterval } from '#lib/measures/wilson-interval.ts';

/** How many of the ended runs succeeded, with the 95 % interval. */
export function SuccessCell({ solved, ended }: { solved: number; ended: number }) {
  const interval = wilsonInterval(solved, ended);
  if (interval === null) return <span className="faint">none ended</span>;
  return (
    <>
      <b>{formatPercent(interval.share)}</b>{' '}
      <span className="faint sm wide-only" title="95 % interval">
        {formatBounds(interval)}
      </span>
      <br />
      <span className="sm faint">
        {solved} of {ended}
      </span>
    </>
  );
}

/** The bounds of an interval in percent: `[64, 93]`. */
export function formatBounds({ low, high }: { low: number; high: number }): string {
  return `[${Math.round(low * 100)}, ${Math.round(high * 100)}]`;
}
