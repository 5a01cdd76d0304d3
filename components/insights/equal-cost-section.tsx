import { Play } from 'lucide-react';
import { address } from '#components/layout/pager.tsx';
import { Button } from '#components/ui/button.tsx';
import { Link } from '#components/ui/link.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { writeArmName } from '#lib/compare/arm-name.ts';
import { formatNumberOf } from '#lib/format.ts';
import type { EqualCostPanel } from '#lib/insights/schema.ts';
import { MAX_EQUAL_COST_CASES } from '#lib/statistics/equal-cost.ts';
import { EqualCostChart } from './equal-cost-chart.tsx';
import { Details, Headline } from './headline.tsx';
import { equalCostLabel, formatSpend } from './labels.ts';

type EqualCostSectionProps = { panel: EqualCostPanel | null; candidate: { experimentId: string; name: string } | null };

/** Compares reflection with independent drafts at equal cost, from the newest control. Otherwise links to starting one. */
export function EqualCostSection({ panel, candidate }: EqualCostSectionProps) {
  return (
    <Pane className="border-b-0" data-testid="equal-cost">
      <PaneHeader>
        <h2>{panel?.unit === 'tokens' ? 'Same tokens, no reflection' : 'Same money, no reflection'}</h2>
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
  const words = equalCostLabel(panel);
  const of = [
    writeArmName({ experimentId, version }),
    writeArmName({ experimentId: controlId, version: controlVersion }),
  ].join(',');
  return (
    <>
      <Headline>
        <b className={toneClass(words.tone)}>{words.verdict}</b>
      </Headline>
      <EqualCostChart panel={panel} />
      <Details>
        <p className="text-ink-2">{words.because}</p>
        <p className="mt-1 max-w-[64ch] text-ink-2">
          Both may spend up to {formatSpend(panel.levels.at(-1)?.spend ?? 0, panel.unit)} per case. {words.more}
        </p>
      </Details>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Button asChild size="small">
          <Link href={address('/compare', { of })}>Compare by case</Link>
        </Button>
        <Link className="link text-sm" href={`/experiments/${controlId}`}>
          View control
        </Link>
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
