import { Check, X } from 'lucide-react';
import { formatBounds } from '#components/experiment/success-cell.tsx';
import { Chart } from '#components/ui/chart.tsx';
import { Link } from '#components/ui/link.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { NumberCell, NumberHead, Table } from '#components/ui/table.tsx';
import { formatPercent } from '#lib/format.ts';
import type { InsightsReport } from '#lib/insights/schema.ts';
import type { TargetReading } from '#lib/statistics/read-target.ts';
import { type InsightsView, runsBehind } from './insights-view.ts';
import { readingBehind, targetBecause, targetCount, targetLabel } from './labels.ts';

type TargetsTableProps = { report: InsightsReport; view: InsightsView };

/** Scorecard of five targets, each with its share, interval, goal and verdict, and a link to its runs. */
export function TargetsTable({ report, view }: TargetsTableProps) {
  const from = report.targets.some(({ interval }) => interval !== null && interval.low < 0.5) ? 0 : 0.5;
  return (
    <ScrollX label="Targets">
      <Table isInset hasHover data-testid="targets">
        <thead>
          <tr>
            <th scope="col">Target</th>
            <th scope="col" className="max-narrow:hidden">
              <span className="sr-only">Interval against the target</span>
              <ShareScale width={TARGET_BAR_WIDTH} edge={EDGE} from={from} hasMiddle />
            </th>
            <NumberHead>Now</NumberHead>
            <NumberHead>Target</NumberHead>
            <th scope="col" className="max-narrow:pr-4">
              Result
            </th>
            <NumberHead className="max-narrow:hidden">Runs</NumberHead>
          </tr>
        </thead>
        <tbody>
          {report.targets.map((reading) => {
            const words = targetLabel(reading.target, report);
            const behind = runsBehind(view, readingBehind(reading));
            return (
              <tr key={reading.target} data-target={reading.target} data-verdict={reading.verdict}>
                <td>
                  <Link href={behind} className="font-medium">
                    {words.title}
                  </Link>
                  <br />
                  <span className="text-ink-3 text-sm">{words.of}</span>
                </td>
                <td className="max-narrow:hidden">
                  <TargetBar {...reading} from={from} />
                </td>
                <NumberCell>
                  {reading.interval === null ? (
                    <span className="text-ink-3">–</span>
                  ) : (
                    <>
                      <b>{formatPercent(reading.interval.share)}</b>
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
                    <Link className="link" href={behind}>
                      {targetCount(reading)}
                      <span className="sr-only"> {reading.of === 1 ? words.unitOne : words.unit}</span>
                    </Link>
                  )}
                </NumberCell>
              </tr>
            );
          })}
        </tbody>
      </Table>
    </ScrollX>
  );
}

/** Renders a verdict. Uses a color and icon only if noise cannot explain it. */
function Verdict({ reading: { verdict, reading } }: { reading: TargetReading }) {
  switch (verdict) {
    case 'met':
      return (
        <span className="font-semibold text-better">
          <Check /> {reading}
        </span>
      );
    case 'missed':
      return (
        <span className="font-semibold text-worse">
          <X /> {reading}
        </span>
      );
    case 'met_within_noise':
    case 'under_within_noise':
      return <b className="font-medium">{reading}</b>;
    case 'too_few':
    case 'none':
      return <span className="text-ink-2">{reading}</span>;
  }
}

const TARGET_BAR_WIDTH = 200;
const EDGE = 4;

type ShareScaleProps = { width: number; edge: number; from: number; hasMiddle?: boolean };

/** Scale above a column of small charts, from `from` to 1. */
export function ShareScale({ width, edge, from, hasMiddle = false }: ShareScaleProps) {
  return (
    <Chart className="max-w-none" width={width} height={14} viewBox={`0 0 ${width} 14`} aria-hidden>
      <text x={edge} y={11}>
        {Math.round(from * 100)}%
      </text>
      {hasMiddle ? (
        <text x={width / 2} y={11} textAnchor="middle">
          {Math.round(((1 + from) / 2) * 100)}
        </text>
      ) : null}
      <text x={width - edge} y={11} textAnchor="end">
        100%
      </text>
    </Chart>
  );
}

/** Draws a share with its interval and target. Unlabelled, because the numbers are next to it. */
function TargetBar({
  interval,
  aim,
  verdict,
  from,
}: Pick<TargetReading, 'interval' | 'aim' | 'verdict'> & { from: number }) {
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
