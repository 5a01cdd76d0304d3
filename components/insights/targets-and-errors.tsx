import { Check, type LucideIcon, X } from 'lucide-react';
import { formatBounds } from '#components/experiment/success-cell.tsx';
import { Chart } from '#components/ui/chart.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { Link, TextLink } from '#components/ui/link.tsx';
import { Pane, PaneHeader, PaneNote } from '#components/ui/pane.tsx';
import { scoreAxisBottom } from '#components/ui/score-axis.ts';
import { Stat } from '#components/ui/stat.tsx';
import { ColumnHead, NumberCell, NumberHead, Table, TableHead } from '#components/ui/table.tsx';
import { formatCount, formatNames, formatPercent, formatPercentAgainst } from '#lib/format.ts';
import type { InsightsReport } from '#lib/insights/schema.ts';
import type { ErrorRates } from '#lib/statistics/error-rates.ts';
import type { TargetReading } from '#lib/statistics/read-target.ts';
import type { CountedShare } from '#lib/statistics/shares.ts';
import { Details, errorsHeadline, Headline } from './headline.tsx';
import { type InsightsView, runsBehind } from './insights-view.ts';
import { readingBehind, TREND_LABELS, targetBecause, targetCount, targetLabel } from './labels.ts';

/** Shows which checks revisions fix and break from one version to the next, and the long-term result. */
export function ErrorsSection({ report }: { report: InsightsReport }) {
  const { errors, errorsOf, errorsLeftOut, repeats } = report;
  return (
    <section className="min-w-0" data-testid="errors">
      <Pane className="border-b-0 pb-1">
        <PaneHeader title="Errors corrected and introduced" note="per check, from one version to the next" />
        <Headline>{errorsHeadline(report)}</Headline>
        <Details>
          <div className="flex flex-wrap items-start gap-x-9 gap-y-3">
            <RateStat label="Corrected" rates={errors} of="corrected" noun="failing" />
            <RateStat label="Introduced" rates={errors} of="introduced" noun="passing" />
            <Stat label="Long-run share" value={errors.settles === null ? '–' : formatPercent(errors.settles.share)}>
              {settlesLabel(errors)}
            </Stat>
            <Stat
              label="Repeated answers"
              value={repeats.interval === null ? '–' : formatPercent(repeats.interval.share)}
            >
              {repeats.interval === null
                ? 'no retries yet'
                : `${formatCount(repeats.met)} of ${formatCount(repeats.of)} after a failed answer, ${formatBounds(repeats.interval)}`}
            </Stat>
          </div>
          <p className="mt-3 max-w-[64ch] text-ink-2 text-sm">
            A check is one criterion against its threshold. With more revisions, the share of passing checks approaches
            corrected ÷ (corrected + introduced). If it is above that value now, more revisions make it worse.
          </p>
        </Details>
      </Pane>
      {errorsOf.length === 0 ? null : <ErrorsTable rows={errorsOf} />}
      {errorsLeftOut.length === 0 ? null : (
        <PaneNote className="text-sm">
          {errorsOf.length > 0 ? '○ passing now, ▸ long-run value. ' : ''}Not listed, because they have fewer than 20
          failing checks: {formatNames(errorsLeftOut, MAX_LISTED_NAMES)}.
        </PaneNote>
      )}
    </section>
  );
}

type RateStatProps = { label: string; rates: ErrorRates; of: 'corrected' | 'introduced'; noun: string };

function RateStat({ label, rates, of, noun }: RateStatProps) {
  const { met, of: all, interval } = rates[of];
  return (
    <Stat label={label} value={interval === null ? '–' : formatPercent(interval.share)}>
      {interval === null
        ? `no ${noun} check yet`
        : `${formatCount(met)} of ${formatCount(all)} ${noun}, ${formatBounds(interval)}`}
    </Stat>
  );
}

function settlesLabel({ now, settles, trend }: ErrorRates): string {
  if (settles === null || now === null || trend === null) return 'too few changes';
  return `${formatBounds(settles)}, now ${formatPercent(now)} (${TREND_LABELS[trend]})`;
}

/** Maximum number of names listed individually. */
const MAX_LISTED_NAMES = 8;

/** Shows the error rates of each experiment, now and in the long term. */
function ErrorsTable({ rows }: { rows: InsightsReport['errorsOf'] }) {
  const lowest = Math.min(...rows.map(({ now, settles }) => Math.min(now ?? 1, settles?.share ?? 1)));
  const from = scoreAxisBottom([lowest]);
  return (
    <Table scrollLabel="Errors by experiment" isInset hasHover>
      <TableHead>
        <ColumnHead>Experiment</ColumnHead>
        <NumberHead className="max-narrow:hidden">Corrected</NumberHead>
        <NumberHead className="max-narrow:hidden">Introduced</NumberHead>
        <ColumnHead className="max-narrow:hidden">
          <span className="sr-only">From the current to the long-run share</span>
          <ShareScale width={TREND_WIDTH} from={from} />
        </ColumnHead>
        <NumberHead>Now</NumberHead>
        <NumberHead>Long run</NumberHead>
        <ColumnHead hideLabel>Trend</ColumnHead>
      </TableHead>
      <tbody>
        {rows.map(({ experimentId, name, corrected, introduced, now, settles, trend }) => (
          <tr key={experimentId}>
            <td className="wrap-anywhere min-w-28 font-medium">
              <Link className="line-clamp-3" href={`/experiments/${experimentId}`} title={name}>
                <bdi>{name}</bdi>
              </Link>
            </td>
            <NumberCell className="max-narrow:hidden">
              <Share of={corrected} />
            </NumberCell>
            <NumberCell className="max-narrow:hidden">
              <Share of={introduced} />
            </NumberCell>
            <td className="max-narrow:hidden">
              {now === null || settles === null ? null : (
                <SettleArrow now={now} settles={settles.share} trend={trend} from={from} />
              )}
            </td>
            <NumberCell>{now === null ? '–' : formatPercent(now)}</NumberCell>
            <NumberCell className="font-semibold">{settles === null ? '–' : formatPercent(settles.share)}</NumberCell>
            <td className="whitespace-nowrap text-sm">
              <Trend trend={trend} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Share({ of: { met, of, interval } }: { of: CountedShare }) {
  return (
    <>
      {interval === null ? '–' : formatPercent(interval.share)}{' '}
      <span className="text-ink-3 text-sm">
        {met}/{of}
      </span>
    </>
  );
}

function Trend({ trend }: Pick<ErrorRates, 'trend'>) {
  if (trend === null) return <span className="text-ink-3">too little</span>;
  const [Glyph, look] = TREND_MARKS[trend];
  return (
    <span className={look}>
      {Glyph ? <Glyph /> : null} {TREND_LABELS[trend]}
    </span>
  );
}

const TREND_MARKS: Record<NonNullable<ErrorRates['trend']>, [Glyph: LucideIcon | null, className: string]> = {
  rises: [Check, 'text-better'],
  falls: [X, 'text-worse'],
  within_noise: [null, ''],
};

const TREND_WIDTH = 150;
const EDGE = 4;

const TREND_LOOKS = {
  within_noise: { line: 'stroke-ink-2 stroke-2', head: 'fill-ink-2' },
  rises: { line: 'stroke-better stroke-2', head: 'fill-better' },
  falls: { line: 'stroke-worse stroke-2', head: 'fill-worse' },
};

type SettleArrowProps = { now: number; settles: number; trend: ErrorRates['trend']; from: number };

/** Arrow from the current share of passing checks to the long-term share. Unlabelled, because the numbers are next to it. */
function SettleArrow({ now, settles, trend, from }: SettleArrowProps) {
  const at = (share: number) => EDGE + ((share - from) / (1 - from)) * (TREND_WIDTH - 2 * EDGE);
  const { line, head } = TREND_LOOKS[trend ?? 'within_noise'];
  const forward = settles >= now ? 5 : -5;
  return (
    <Chart
      className="inline-block max-w-none align-middle"
      width={TREND_WIDTH}
      height={18}
      viewBox={`0 0 ${TREND_WIDTH} 18`}
      aria-hidden
    >
      <line className="stroke-line" x1={EDGE} x2={TREND_WIDTH - EDGE} y1={9} y2={9} />
      <line className={line} x1={at(now)} x2={at(settles)} y1={9} y2={9} />
      <circle className={classNames(line, 'fill-surface stroke-[1.75]')} cx={at(now)} cy={9} r={3.4} />
      <path className={head} d={`M${at(settles)} 3.5 l${forward} 5.5 l${-forward} 5.5 z`} />
    </Chart>
  );
}

type TargetsTableProps = { report: InsightsReport; view: InsightsView };

/** Scorecard of five targets, each with its share, interval, goal and verdict, and a link to its runs. */
export function TargetsTable({ report, view }: TargetsTableProps) {
  const from = report.targets.some(({ interval }) => interval !== null && interval.low < 0.5) ? 0 : 0.5;
  return (
    <Table scrollLabel="Targets" isInset hasHover data-testid="targets">
      <TableHead>
        <ColumnHead>Target</ColumnHead>
        <ColumnHead className="max-narrow:hidden">
          <span className="sr-only">Interval against the target</span>
          <ShareScale width={TARGET_BAR_WIDTH} from={from} hasMiddle />
        </ColumnHead>
        <NumberHead>Now</NumberHead>
        <NumberHead>Target</NumberHead>
        <ColumnHead className="max-narrow:pr-4">Result</ColumnHead>
        <NumberHead className="max-narrow:hidden">Runs</NumberHead>
      </TableHead>
      <tbody>
        {report.targets.map((reading) => {
          const label = targetLabel(reading.target, report);
          const behind = runsBehind(view, readingBehind(reading));
          return (
            <tr key={reading.target} data-target={reading.target} data-verdict={reading.verdict}>
              <td>
                <Link href={behind} className="font-medium">
                  {label.title}
                </Link>
                <br />
                <span className="text-ink-3 text-sm">{label.of}</span>
              </td>
              <td className="max-narrow:hidden">
                <TargetBar {...reading} from={from} />
              </td>
              <NumberCell>
                {reading.interval === null ? (
                  <span className="text-ink-3">–</span>
                ) : (
                  <>
                    <b>{formatPercentAgainst(reading.interval.share, reading.aim)}</b>
                    <br />
                    <span className="text-ink-3 text-sm">{formatBounds(reading.interval)}</span>
                  </>
                )}
              </NumberCell>
              <NumberCell className="text-ink-2 text-sm">
                {reading.aim === 1 ? 'all' : `≥ ${formatPercent(reading.aim)}`}
              </NumberCell>
              <td className="max-[401px]:wrap-anywhere whitespace-nowrap text-sm max-[401px]:whitespace-normal max-narrow:pr-4">
                <Verdict reading={reading} />
                <br />
                <span className="text-ink-3">{targetBecause(reading, report)}</span>
              </td>
              <NumberCell className="text-sm max-narrow:hidden">
                {reading.of === 0 ? (
                  <span className="text-ink-3">none</span>
                ) : (
                  <TextLink href={behind}>
                    {targetCount(reading)}
                    <span className="sr-only"> {reading.of === 1 ? label.noun : `${label.noun}s`}</span>
                  </TextLink>
                )}
              </NumberCell>
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}

/** Renders a verdict. Uses a color and icon only if noise cannot explain it. */
function Verdict({ reading: { verdict, reading } }: { reading: TargetReading }) {
  const [Glyph, look] = VERDICT_MARKS[verdict];
  return (
    <span className={look}>
      {Glyph ? <Glyph /> : null} {reading}
    </span>
  );
}

const VERDICT_MARKS: Record<TargetReading['verdict'], [Glyph: LucideIcon | null, className: string]> = {
  met: [Check, 'font-semibold text-better'],
  missed: [X, 'font-semibold text-worse'],
  met_within_noise: [null, 'font-medium'],
  under_within_noise: [null, 'font-medium'],
  too_few: [null, 'text-ink-2'],
  none: [null, 'text-ink-2'],
};

const TARGET_BAR_WIDTH = 200;

type ShareScaleProps = { width: number; from: number; hasMiddle?: boolean };

/** Scale above a column of small charts, from `from` to 1. */
function ShareScale({ width, from, hasMiddle = false }: ShareScaleProps) {
  return (
    <Chart className="max-w-none" width={width} height={14} viewBox={`0 0 ${width} 14`} aria-hidden>
      <text x={EDGE} y={11}>
        {Math.round(from * 100)}%
      </text>
      {hasMiddle ? (
        <text x={width / 2} y={11} textAnchor="middle">
          {Math.round(((1 + from) / 2) * 100)}
        </text>
      ) : null}
      <text x={width - EDGE} y={11} textAnchor="end">
        100%
      </text>
    </Chart>
  );
}

/** Draws a share with its interval and target. Unlabelled, because the numbers are next to it. */
function TargetBar(props: Pick<TargetReading, 'interval' | 'aim' | 'verdict'> & { from: number }) {
  const { interval, aim, verdict, from } = props;
  const at = (share: number) => EDGE + ((Math.max(share, from) - from) / (1 - from)) * (TARGET_BAR_WIDTH - 2 * EDGE);
  const isMissed = verdict === 'missed' && aim < 1;
  return (
    <Chart
      className="inline-block max-w-none align-middle"
      width={TARGET_BAR_WIDTH}
      height={22}
      viewBox={`0 0 ${TARGET_BAR_WIDTH} 22`}
      aria-hidden
    >
      <rect className="fill-better-bg opacity-55" x={at(aim)} y={3} width={at(1) - at(aim)} height={16} />
      <line className="stroke-line" x1={at(from)} x2={at(1)} y1={11} y2={11} />
      {interval === null ? null : (
        <>
          <line
            className={isMissed ? 'stroke-2 stroke-worse' : 'stroke-2 stroke-ink-2'}
            x1={at(interval.low)}
            x2={at(interval.high)}
            y1={11}
            y2={11}
          />
          <circle className={isMissed ? 'fill-worse' : 'fill-ink'} cx={at(interval.share)} cy={11} r={3.6} />
        </>
      )}
      <path className="stroke-[1.5] stroke-ink" d={`M${at(aim)} 2V20`} />
    </Chart>
  );
}
