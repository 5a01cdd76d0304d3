import { NumberCell, NumberHead } from '#components/ui/table.tsx';
import { formatPercent, formatScore } from '#lib/format.ts';
import type { Interval } from '#lib/statistics/intervals.ts';

type SuccessCellProps = { solved: number; ended: number; unscored: number; interval: Interval | null };

/** Shows the solved runs out of all ended and scored runs, with the 95% interval if there is one, and the number of unscored runs. */
export function SuccessCell({ solved, ended, unscored, interval }: SuccessCellProps) {
  if (ended === 0) return <span className="text-ink-3">{unscored > 0 ? `${unscored} unscored` : 'none ended'}</span>;
  return (
    <>
      <b>{formatPercent(solved / ended)}</b>{' '}
      {interval === null ? null : (
        <span className="text-ink-3 text-sm max-narrow:hidden" title="95% interval">
          {formatBounds(interval)}
        </span>
      )}
      <br />
      <span className="text-ink-3 text-sm">
        {solved} of {ended}
        {unscored > 0 ? `, ${unscored} unscored` : ''}
      </span>
    </>
  );
}

/** Formats the bounds of an interval in percent: `[64, 93]`. */
export function formatBounds({ low, high }: { low: number; high: number }): string {
  return `[${Math.round(low * 100)}, ${Math.round(high * 100)}]`;
}

/** Head of the column with the first and the best score. Phones show only the best one. */
export function FirstToBestHead({ className }: { className: string }) {
  return (
    <NumberHead className={className}>
      <span className="max-narrow:hidden">First → b</span>
      <span className="narrow:hidden" aria-hidden>
        B
      </span>
      est
    </NumberHead>
  );
}

/** Shows the best score, after the first one as text with an arrow. */
export function FirstToBestCell({ first, best }: { first: string; best: number | null }) {
  return (
    <NumberCell className="max-narrow:pr-4">
      {best === null ? (
        <span className="text-ink-3">–</span>
      ) : (
        <>
          <span className="text-ink-3 max-narrow:hidden">{first}</span> <b>{formatScore(best)}</b>
        </>
      )}
    </NumberCell>
  );
}
