import Link from 'next/link';
import { formatCost, formatNumberOf } from '#lib/format.ts';
import type { InsightsReport } from '#lib/measures/insights-report.ts';
import { costWords, isDear } from './cost-words.ts';

/** Experiments shown; the others stand in the CSV. */
const MOST = 12;

/** What a gain of 0.10 costs in each experiment, the cheapest first, and what a success costs over all. */
export function CostList({ report }: { report: InsightsReport }) {
  const priced = report.costs.flatMap((one) =>
    one.perPointUsd === null ? [] : [{ ...one, perPoint: one.perPointUsd }],
  );
  const shown = priced.length > MOST ? [...priced.slice(0, MOST / 2), ...priced.slice(-MOST / 2)] : priced;
  const dearest = priced.at(-1)?.perPoint ?? 0;
  return (
    <section className="pane border-b-0">
      <div className="ph">
        <h2>Cost per point</h2>
        <span className="note">per gain of 0.10</span>
      </div>
      <ul data-testid="cost-per-point">
        {shown.map(({ experimentId, name, perPoint, unpriced }) => {
          const dear = isDear(perPoint, priced);
          return (
            <li key={experimentId} className="costrow">
              <Link href={`/experiments/${experimentId}`} className="trunc" title={name}>
                {name}
              </Link>
              <span className="bar bare" aria-hidden>
                <i
                  className={dear ? 'no' : undefined}
                  style={{ width: `${dearest === 0 ? 0 : Math.max(2, (perPoint / dearest) * 100)}%` }}
                />
              </span>
              <span className={dear ? 'num sm b' : 'num sm'}>{formatCost(perPoint, unpriced)}</span>
            </li>
          );
        })}
      </ul>
      {shown.length < priced.length ? (
        <p className="sm faint mt-2">The cheapest and the dearest of {formatNumberOf(priced.length, 'experiment')}.</p>
      ) : null}
      <p className="sm muted mt-2">{costWords(report)}</p>
    </section>
  );
}
