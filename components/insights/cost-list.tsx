import { Bar } from '#components/ui/bar.tsx';
import { Link } from '#components/ui/link.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { formatCost, formatNumberOf } from '#lib/format.ts';
import type { InsightsReport } from '#lib/insights/schema.ts';
import { costHeadline, Headline } from './headline.tsx';
import { costLabel, isExpensive } from './labels.ts';

/** Maximum number of experiments shown. The CSV contains all. */
const MAX_SHOWN_EXPERIMENTS = 12;

/** Shows the cost of a gain of 0.10 per experiment, cheapest first, and the overall cost of a success. */
export function CostList({ report }: { report: InsightsReport }) {
  const priced = report.costs.flatMap((one) =>
    one.perPointUsd === null ? [] : [{ ...one, perPoint: one.perPointUsd }],
  );
  const shown =
    priced.length > MAX_SHOWN_EXPERIMENTS
      ? [...priced.slice(0, MAX_SHOWN_EXPERIMENTS / 2), ...priced.slice(-MAX_SHOWN_EXPERIMENTS / 2)]
      : priced;
  const dearest = priced.at(-1)?.perPoint ?? 0;
  const headline = costHeadline(report);
  return (
    <Pane className="border-b-0">
      <PaneHeader>
        <h2>Cost per point</h2>
        <span className="text-ink-3 text-sm">per gain of 0.10</span>
      </PaneHeader>
      {headline === null ? null : <Headline>{headline}</Headline>}
      <ul data-testid="cost-per-point">
        {shown.map(({ experimentId, name, perPoint, unpriced }) => {
          const dear = isExpensive(perPoint, priced);
          return (
            <li
              key={experimentId}
              className="grid grid-cols-[minmax(0,1fr)_5.5rem_3.9rem] items-center gap-2.5 border-line border-b py-1.25"
            >
              <Link href={`/experiments/${experimentId}`} className="wrap-anywhere min-w-0 line-clamp-2" title={name}>
                {name}
              </Link>
              <Bar
                isBare
                tone={dear ? 'worse' : 'default'}
                percent={dearest === 0 ? 0 : Math.max(2, (perPoint / dearest) * 100)}
              />
              <span
                className={
                  dear ? 'whitespace-nowrap text-right font-semibold text-sm' : 'whitespace-nowrap text-right text-sm'
                }
              >
                {formatCost(perPoint, unpriced)}
              </span>
            </li>
          );
        })}
      </ul>
      {shown.length < priced.length ? (
        <p className="mt-2 text-ink-3 text-sm">
          The cheapest and the most expensive of {formatNumberOf(priced.length, 'experiment')}.
        </p>
      ) : null}
      <p className="mt-2 text-ink-2 text-sm">{costLabel(report)}</p>
    </Pane>
  );
}
