import { Scale } from 'lucide-react';
import { formatBounds } from '#components/experiment/success-cell.tsx';
import { address } from '#components/layout/pager.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { Columns } from '#components/ui/columns.tsx';
import { Link, TextLink } from '#components/ui/link.tsx';
import { noticeVariants } from '#components/ui/notice.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { SegmentedLinks } from '#components/ui/segmented-links.tsx';
import { Stat, Stats } from '#components/ui/stat.tsx';
import { NumberCell, NumberHead, RowHead, Table, TableHead } from '#components/ui/table.tsx';
import { formatCount, formatNumberOf, formatPercent, formatScore } from '#lib/format.ts';
import { type InsightsReport, MAX_JUDGED_RUNS } from '#lib/insights/schema.ts';
import { type Calibration, whyNoInterval } from '#lib/statistics/calibration.ts';
import type { RunReading } from '#lib/statistics/run-readings.ts';
import { Details, Headline, judgeHeadline } from './headline.tsx';
import { type InsightsView, insightsParams, runsBehind } from './insights-view.ts';
import { betterThreshold } from './labels.ts';
import { ReliabilityChart } from './reliability-chart.tsx';

type JudgeSectionProps = {
  report: InsightsReport;
  view: InsightsView;
  /** Pass threshold if all experiments share one, else null. */
  threshold: number | null;
};

/** Shows the reliability of judges: their scores compared with people or with deterministic checks. */
export function JudgeSection({ report, view, threshold }: JudgeSectionProps) {
  const against = view.against ?? (report.people.n === 0 && report.checks.n > 0 ? 'check' : 'person');
  const found = against === 'person' ? report.people : report.checks;
  const truth = against === 'person' ? 'people' : 'checks';
  return (
    <Columns
      className={found.n === 0 ? 'medium:following:border-l-0' : 'medium:grid-cols-[27.5rem_minmax(0,1fr)]'}
      data-testid="judge"
    >
      <Pane className="border-b-0">
        <PaneHeader title={`Judge and ${truth}`}>
          <AgainstChoice report={report} view={view} against={against} />
        </PaneHeader>
        {found.n === 0 ? (
          <p className="text-ink-2">{emptyLabel(against)}</p>
        ) : (
          <>
            <Headline>{judgeHeadline(found, truth)}</Headline>
            <ReliabilityChart found={found} truth={truth} threshold={threshold} />
            <p className="mt-2 text-ink-2 text-sm">
              Uses at most the latest {MAX_JUDGED_RUNS} runs with such judgements.
            </p>
          </>
        )}
      </Pane>
      <section className="min-w-0">
        {found.n === 0 ? null : (
          <Pane className="flex flex-wrap items-start gap-x-10 gap-y-5 border-b-0">
            <ConfusionTable found={found} truth={truth} view={view} />
            <JudgeAdvice found={found} truth={truth} threshold={threshold} selfJudged={report.selfJudged} />
          </Pane>
        )}
        <Pane className="border-b-0">
          <Details>
            <JudgeStats found={found} report={report} />
          </Details>
        </Pane>
      </section>
    </Columns>
  );
}

type AgainstChoiceProps = { report: InsightsReport; view: InsightsView; against: Calibration['against'] };

function AgainstChoice({ report, view, against }: AgainstChoiceProps) {
  const choices = [
    { value: 'person', label: `People ${formatCount(report.people.n)}` },
    { value: 'check', label: `Checks ${formatCount(report.checks.n)}` },
  ] as const;
  return (
    <SegmentedLinks aria-label="Compare with">
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
    </SegmentedLinks>
  );
}

function JudgeStats({ found, report }: { found: Calibration; report: InsightsReport }) {
  const { agreement, kappa, spearman, brier, n } = found;
  const { unscored } = report;
  return (
    <Stats className="medium:grid-cols-5 medium:*:pr-2 medium:*:pl-4 medium:*:first:pl-6">
      <Stat label="Agreement" value={n === 0 ? '–' : `${formatCount(agreement.met)} of ${formatCount(agreement.of)}`}>
        {agreement.interval === null
          ? 'nothing to compare'
          : `${formatPercent(agreement.interval.share)}, ${formatBounds(agreement.interval)}`}
      </Stat>
      <Stat label="Kappa" value={kappa === null ? '–' : formatScore(kappa.kappa)}>
        {kappa === null ? whyNone(n, 'one side always gave the same judgement') : kappaBounds(kappa)}
      </Stat>
      <Stat label="Spearman" value={spearman === null ? '–' : formatScore(spearman.rho)}>
        {spearman === null ? whyNone(n, 'the scores of one side are all equal') : bounds(spearman)}
      </Stat>
      <Stat label="Brier" value={brier === null ? '–' : formatScore(brier.mean)}>
        {brier === null ? whyNone(n, '') : `lower is better, ${formatScore(brier.guessing)} is guessing`}
      </Stat>
      <Stat label="Unscored" value={`${formatCount(unscored.met)} of ${formatCount(unscored.of)}`}>
        {unscored.interval === null
          ? 'no evaluations yet'
          : `${(unscored.interval.share * 100).toFixed(1)}%, [${(unscored.interval.low * 100).toFixed(1)}, ${(unscored.interval.high * 100).toFixed(1)}]`}
      </Stat>
    </Stats>
  );
}

function bounds({ low, high }: { low: number | null; high: number | null }): string {
  return low === null || high === null
    ? 'not enough evidence for an interval'
    : `[${formatScore(low)}, ${formatScore(high)}]`;
}

function kappaBounds(kappa: NonNullable<Calibration['kappa']>): string {
  return whyNoInterval(kappa) ?? bounds(kappa);
}

function whyNone(n: number, why: string): string {
  return n === 0 ? 'nothing to compare' : why;
}

function emptyLabel(against: Calibration['against']): string {
  return against === 'person'
    ? 'No reviewer has judged a version with a judge score yet. Overrides on run pages and decisions in the inbox count here.'
    : 'No version has both a judge score and a score from a reference or tests yet. Add such a criterion to an experiment.';
}

type JudgeAdviceProps = {
  found: Calibration;
  truth: 'people' | 'checks';
  threshold: number | null;
  selfJudged: number;
};

/** Explains the numbers and suggests improvements. */
function JudgeAdvice({ found, truth, threshold, selfJudged }: JudgeAdviceProps) {
  const better = betterThreshold(found, threshold);
  return (
    <div className="min-w-0 flex-[1_1_16rem]">
      <PaneHeader title="Recommendation" />
      <p className="max-w-[52ch] text-ink-2 text-sm">
        {found.reading} {better === null ? '' : better.sentence}
        {found.tooFewToTell
          ? truth === 'people'
            ? ' Score more versions on run pages, or decide more items in the inbox.'
            : ' Run more cases with a reference.'
          : ''}
      </p>
      {found.sameModel > 0 ? (
        <p className={classNames(noticeVariants(), 'mt-3')}>
          <Scale />
          <span>
            In {found.sameModel} of {formatNumberOf(found.n, 'judgement')} the judge scored its own text
            {selfJudged > 0 ? ` (${formatNumberOf(selfJudged, 'experiment')})` : ''}. A different judge model reduces
            self-preference.
          </span>
        </p>
      ) : null}
    </div>
  );
}

type ConfusionTableProps = { found: Calibration; truth: 'people' | 'checks'; view: InsightsView };

/** Shows agreements and disagreements of the judge with the reference labels, at the configured thresholds, with links to the runs. */
function ConfusionTable({ found: { confusion, n, runs }, truth, view }: ConfusionTableProps) {
  const who = truth === 'people' ? 'People' : 'Checks';
  const { bothGood, letThrough, heldBack, neitherGood } = confusion;
  return (
    <div className="min-w-0 flex-[0_1_26rem]">
      <PaneHeader
        title="Agreement by outcome"
        note={`${formatNumberOf(n, 'version')} of ${formatNumberOf(runs, 'run')}`}
      />
      <Table className="th:whitespace-normal" data-testid="confusion">
        <caption className="sr-only">Judgements at the thresholds of the settings</caption>
        <TableHead>
          <td />
          <NumberHead>{who}: good</NumberHead>
          <NumberHead>{who}: not good</NumberHead>
        </TableHead>
        <tbody>
          <tr>
            <RowHead>Judge: good</RowHead>
            <NumberCell>
              <b>{formatCount(bothGood)}</b> <span className="text-ink-2 text-sm">agree</span>
            </NumberCell>
            <NumberCell className={letThrough > 0 ? 'bg-worse-bg' : undefined}>
              <b className={letThrough > 0 ? 'text-worse' : undefined}>{formatCount(letThrough)}</b>{' '}
              <span className="text-ink-2 text-sm">false passes</span>
            </NumberCell>
          </tr>
          <tr>
            <RowHead>Judge: not good</RowHead>
            <NumberCell className={heldBack > 0 ? 'bg-worse-bg' : undefined}>
              <b className={heldBack > 0 ? 'text-worse' : undefined}>{formatCount(heldBack)}</b>{' '}
              <span className="text-ink-2 text-sm">false failures</span>
            </NumberCell>
            <NumberCell>
              <b>{formatCount(neitherGood)}</b> <span className="text-ink-2 text-sm">agree</span>
            </NumberCell>
          </tr>
        </tbody>
      </Table>
      <p className="mt-2 text-ink-2 text-sm">
        <RunsLink count={letThrough} reading={`${truth}.let_through`} view={view}>
          View false passes
        </RunsLink>{' '}
        <RunsLink count={heldBack} reading={`${truth}.held_back`} view={view}>
          View false failures
        </RunsLink>
      </p>
    </div>
  );
}

type RunsLinkProps = { count: number; reading: RunReading; view: InsightsView; children: string };

function RunsLink({ count, reading, view, children }: RunsLinkProps) {
  if (count === 0) return null;
  return (
    <TextLink className="mr-3" href={runsBehind(view, reading)}>
      {children}
    </TextLink>
  );
}
