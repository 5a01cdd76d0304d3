import Link from 'next/link';
import { formatBounds } from '#components/experiment/success-cell.tsx';
import { address } from '#components/shell/pager.tsx';
import { formatCount, formatPercent, formatScore } from '#lib/format.ts';
import type { Calibration } from '#lib/measures/calibration.ts';
import type { InsightsReport } from '#lib/measures/insights-report.ts';
import { MOST_JUDGED_RUNS } from '#lib/measures/insights-sums.ts';
import { ConfusionTable } from './confusion-table.tsx';
import { type InsightsView, insightsParams } from './insights-view.ts';
import { JudgeAdvice } from './judge-advice.tsx';
import { ReliabilityChart } from './reliability-chart.tsx';

type JudgeSectionProps = {
  report: InsightsReport;
  view: InsightsView;
  /** Where all experiments ask for the same overall score; else null. */
  threshold: number | null;
};

/** How far judging models can be believed: their scores against what people say, or checks that know the right answer. */
export function JudgeSection({ report, view, threshold }: JudgeSectionProps) {
  const against = view.against ?? (report.people.n === 0 && report.checks.n > 0 ? 'check' : 'person');
  const found = against === 'person' ? report.people : report.checks;
  const truth = against === 'person' ? 'people' : 'checks';
  return (
    <div className="cols c3 judge" data-testid="judge">
      <section className="pane border-b-0">
        <div className="ph">
          <h2>Judge against {truth}</h2>
          <AgainstChoice report={report} view={view} against={against} />
        </div>
        {found.n === 0 ? (
          <p className="muted">{emptyWords(against)}</p>
        ) : (
          <>
            <ReliabilityChart found={found} truth={truth} threshold={threshold} />
            <p className="sm muted mt-2">
              Of the newest {MOST_JUDGED_RUNS} runs with such judgements, where there are more.
            </p>
          </>
        )}
      </section>
      <section className="min-w-0">
        <JudgeStats found={found} report={report} />
        {found.n === 0 ? null : (
          <div className="pane row wrap al judgewords border-b-0">
            <ConfusionTable found={found} truth={truth} view={view} />
            <JudgeAdvice found={found} truth={truth} threshold={threshold} selfJudged={report.selfJudged} />
          </div>
        )}
      </section>
    </div>
  );
}

type AgainstChoiceProps = { report: InsightsReport; view: InsightsView; against: Calibration['against'] };

function AgainstChoice({ report, view, against }: AgainstChoiceProps) {
  const choices = [
    { value: 'person', label: `People ${formatCount(report.people.n)}` },
    { value: 'check', label: `Checks ${formatCount(report.checks.n)}` },
  ] as const;
  return (
    <nav className="seg" aria-label="Held against">
      {choices.map(({ value, label }) => (
        <Link
          key={value}
          href={address('/insights', insightsParams({ ...view, against: value }))}
          aria-current={value === against ? 'true' : undefined}
          scroll={false}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

function JudgeStats({ found, report }: { found: Calibration; report: InsightsReport }) {
  const { agreement, kappa, spearman, brier, n } = found;
  const { unscored } = report;
  return (
    <div className="stats five">
      <Stat label="Agreement" value={n === 0 ? null : `${formatCount(agreement.met)} of ${formatCount(agreement.of)}`}>
        {agreement.interval === null
          ? 'nothing to compare'
          : `${formatPercent(agreement.interval.share)}, ${formatBounds(agreement.interval)}`}
      </Stat>
      <Stat label="Kappa" value={kappa === null ? null : formatScore(kappa.kappa)}>
        {kappa === null ? whyNone(n, 'one side said the same of everything') : bounds(kappa)}
      </Stat>
      <Stat label="Spearman" value={spearman === null ? null : formatScore(spearman.rho)}>
        {spearman === null ? whyNone(n, 'the scores of one side are all alike') : bounds(spearman)}
      </Stat>
      <Stat label="Brier" value={brier === null ? null : formatScore(brier.mean)}>
        {brier === null
          ? whyNone(n, '')
          : `${formatScore(brier.guessing)} would be guessing the share of good ones; lower is better`}
      </Stat>
      <Stat label="Unscored" value={`${formatCount(unscored.met)} of ${formatCount(unscored.of)}`}>
        {unscored.interval === null
          ? 'no evaluation yet'
          : `${(unscored.interval.share * 100).toFixed(1)} %, [${(unscored.interval.low * 100).toFixed(1)}, ${(unscored.interval.high * 100).toFixed(1)}]`}
      </Stat>
    </div>
  );
}

function Stat({ label, value, children }: { label: string; value: string | null; children: string }) {
  return (
    <div className="stat">
      <span className="l">{label}</span>
      <span className="v">{value ?? '–'}</span>
      <span className="s">{children}</span>
    </div>
  );
}

function bounds({ low, high }: { low: number | null; high: number | null }): string {
  return low === null || high === null ? 'too few for an interval' : `[${formatScore(low)}, ${formatScore(high)}]`;
}

function whyNone(n: number, why: string): string {
  return n === 0 ? 'nothing to compare' : why;
}

function emptyWords(against: Calibration['against']): string {
  return against === 'person'
    ? 'No person has scored, accepted or sent back a version that a model judged. An override on a run’s page, or a verdict in the inbox, counts here.'
    : 'No version was scored both by a model and by a check that knows the right answer: a reference or tests beside a judged criterion count here.';
}
