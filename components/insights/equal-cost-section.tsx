import { Play } from 'lucide-react';
import Link from 'next/link';
import { address } from '#components/shell/pager.tsx';
import { Button } from '#components/ui/button.tsx';
import { formatNumberOf } from '#lib/format.ts';
import { writeArmName } from '#lib/measures/arm-name.ts';
import { MOST_EQUAL_COST_CASES } from '#lib/measures/equal-cost.ts';
import type { EqualCostPanel } from '#lib/measures/insights.ts';
import { EqualCostChart } from './equal-cost-chart.tsx';
import { equalCostWords, formatSpend } from './equal-cost-words.ts';

type EqualCostSectionProps = { panel: EqualCostPanel | null; candidate: { experimentId: string; name: string } | null };

/** Reflection against drafting anew for the same money: the newest control there is, or the way to one. */
export function EqualCostSection({ panel, candidate }: EqualCostSectionProps) {
  return (
    <section className="pane border-b-0" data-testid="equal-cost">
      <div className="ph">
        <h2>{panel?.unit === 'tokens' ? 'Same tokens, no reflection' : 'Same money, no reflection'}</h2>
        {panel === null ? null : (
          <span className="note">
            {panel.name} v{panel.version}, {formatNumberOf(panel.cases, 'case')}
            {panel.cases + panel.unscored < MOST_EQUAL_COST_CASES ? '' : ', no more are compared'}
            {panel.unscored > 0 ? `, ${formatNumberOf(panel.unscored, 'case')} left out: nothing was scored` : ''}; best
            of fresh drafts
          </span>
        )}
      </div>
      {panel === null ? <NoControl candidate={candidate} /> : <Control panel={panel} />}
    </section>
  );
}

function Control({ panel }: { panel: EqualCostPanel }) {
  const { experimentId, version, controlId, controlVersion } = panel;
  const words = equalCostWords(panel);
  const of = [
    writeArmName({ experimentId, version }),
    writeArmName({ experimentId: controlId, version: controlVersion }),
  ].join(',');
  return (
    <>
      <EqualCostChart panel={panel} />
      <p className="mt-2">
        <b className={words.tone}>{words.verdict}</b> <span className="muted">{words.because}</span>
      </p>
      <p className="sm muted mt-1 max-w-[64ch]">
        Both may spend up to {formatSpend(panel.levels.at(-1)?.spend ?? 0, panel.unit)} a case. {words.more}
      </p>
      <div className="row wrap mt-3">
        <Button asChild size="small">
          <Link href={address('/compare', { of })}>Compare case by case</Link>
        </Button>
        <Link className="link sm" href={`/experiments/${controlId}`}>
          The control’s runs
        </Link>
      </div>
    </>
  );
}

function NoControl({ candidate }: Pick<EqualCostSectionProps, 'candidate'>) {
  return (
    <>
      <p className="muted max-w-[64ch]">
        No control at equal cost has been run. It spends on each case as much as reflection did, but on fresh drafts
        alone: what reflection must beat to be worth its cost.
      </p>
      {candidate === null ? null : (
        <div className="row wrap mt-3">
          <Button
            asChild
            size="small"
            className="h-auto min-h-7 py-1 text-left leading-snug whitespace-normal wrap-anywhere"
          >
            <Link href={`/experiments/${candidate.experimentId}`}>
              <Play className="i s" aria-hidden />
              Run a control of {candidate.name}
            </Link>
          </Button>
        </div>
      )}
    </>
  );
}
