import { Play } from 'lucide-react';
import { address } from '#components/layout/pager.tsx';
import { Bar } from '#components/ui/bar.tsx';
import { Button } from '#components/ui/button.tsx';
import { Link, TextLink } from '#components/ui/link.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { writeArmName } from '#lib/compare/arm-name.ts';
import { formatCost, formatNumberOf } from '#lib/format.ts';
import type { EqualCostPanel, InsightsReport } from '#lib/insights/schema.ts';
import { MAX_EQUAL_COST_CASES } from '#lib/statistics/equal-cost.ts';
import { EqualCostChart } from './equal-cost-chart.tsx';
import { costHeadline, Details, Headline } from './headline.tsx';
import { costLabel, equalCostLabel, formatSpend, isExpensive } from './labels.ts';

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
      <PaneHeader title="Cost per point" note="per gain of 0.10" />
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

type EqualCostSectionProps = { panel: EqualCostPanel | null; candidate: { experimentId: string; name: string } | null };

/** Compares reflection with independent drafts at equal cost, from the newest control. Otherwise links to starting one. */
export function EqualCostSection({ panel, candidate }: EqualCostSectionProps) {
  return (
    <Pane className="border-b-0" data-testid="equal-cost">
      <PaneHeader title={panel?.unit === 'tokens' ? 'Same tokens, no reflection' : 'Same money, no reflection'}>
        {panel === null ? null : (
          <span className="text-ink-3 text-sm">
            {panel.name} v{panel.version}, {formatNumberOf(panel.cases, 'case')}
            {panel.cases + panel.unscored < MAX_EQUAL_COST_CASES ? '' : ' (maximum)'}
            {panel.unscored > 0 ? `, ${formatNumberOf(panel.unscored, 'case')} without scores` : ''}
          </span>
        )}
      </PaneHeader>
      {panel === null ? <NoControl candidate={candidate} /> : <Control panel={panel} />}
    </Pane>
  );
}

function Control({ panel }: { panel: EqualCostPanel }) {
  const { experimentId, version, controlId, controlVersion } = panel;
  const label = equalCostLabel(panel);
  const of = [
    writeArmName({ experimentId, version }),
    writeArmName({ experimentId: controlId, version: controlVersion }),
  ].join(',');
  return (
    <>
      <Headline>
        <b className={toneClass(label.tone)}>{label.verdict}</b>
      </Headline>
      <EqualCostChart panel={panel} />
      <Details>
        <p className="text-ink-2">{label.because}</p>
        <p className="mt-1 max-w-[64ch] text-ink-2">
          Both may spend up to {formatSpend(panel.levels.at(-1)?.spend ?? 0, panel.unit)} per case. {label.more}
        </p>
      </Details>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Button asChild size="small">
          <Link href={address('/compare', { of })}>Compare by case</Link>
        </Button>
        <TextLink className="text-sm" href={`/experiments/${controlId}`}>
          View control
        </TextLink>
      </div>
    </>
  );
}

function toneClass(tone: 'better' | 'worse' | undefined): string | undefined {
  return tone === undefined ? undefined : tone === 'better' ? 'text-better' : 'text-worse';
}

function NoControl({ candidate }: Pick<EqualCostSectionProps, 'candidate'>) {
  return (
    <>
      <p className="max-w-[64ch] text-ink-2">
        No equal-cost control yet. A control spends the same on each case, but only on new drafts. Reflection is worth
        its cost if it beats the control.
      </p>
      {candidate === null ? null : (
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <Button
            asChild
            size="small"
            className="wrap-anywhere h-auto min-h-7 whitespace-normal py-1 text-left leading-snug"
          >
            <Link href={`/experiments/${candidate.experimentId}`}>
              <Play />
              Run control of {candidate.name}
            </Link>
          </Button>
        </div>
      )}
    </>
  );
}
