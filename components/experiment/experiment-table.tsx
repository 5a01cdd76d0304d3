'use client';

import { Pause, TriangleAlert } from 'lucide-react';
import { CompareCheckbox } from '#components/compare/compare-checkbox.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Chart } from '#components/ui/chart.tsx';
import { Link } from '#components/ui/link.tsx';
import { useExactTime } from '#components/ui/local-time.tsx';
import { Sparkline } from '#components/ui/sparkline.tsx';
import { ColumnHead, NumberCell, NumberHead, Table, TableHead } from '#components/ui/table.tsx';
import { useNow } from '#components/ui/timers.ts';
import type { BaseSettings } from '#lib/core/agents/base-settings.ts';
import type { ExperimentRow } from '#lib/experiments/list-experiments.ts';
import { formatAgo, formatCost, formatCount, formatNames, formatScore, formatTitle } from '#lib/format.ts';
import type { Interval } from '#lib/statistics/intervals.ts';
import { OriginBadges } from './origin-badges.tsx';
import { FirstToBestCell, FirstToBestHead, SuccessCell } from './success-cell.tsx';

export type ExperimentTableRow = Omit<
  ExperimentRow,
  'createdAt' | 'practice' | 'costUsd' | 'meanScores' | 'recentScores' | 'mayRepeatCases'
> & {
  /** Interval of the share of solved runs. Null if cases repeat, because it assumes independent runs. */
  interval: Interval | null;
  /** Mean score by version. Scores of the newest run if the experiment has no summary yet. */
  scores: (number | null)[];
};

/** Prefix of the model names. A single call has none. */
const BASE_NAMES: Record<BaseSettings['type'], string> = { single: '', react: 'agent · ', supervisor: 'supervisor · ' };

/**
 * Table of all experiments with their results. Rendered from plain rows on server and client, because elements would be sent twice: as HTML
 * and as the data behind it.
 */
export function ExperimentTable({ rows }: { rows: readonly ExperimentTableRow[] }) {
  const exactTime = useExactTime();
  const now = useNow(20_000);
  return (
    <Table scrollLabel="Experiments" isInset hasHover data-testid="experiments">
      <TableHead>
        <ColumnHead>Experiment</ColumnHead>
        <ColumnHead className="max-narrow:hidden">Mode</ColumnHead>
        <ColumnHead className="max-narrow:hidden">State</ColumnHead>
        <NumberHead className="max-narrow:hidden">Runs</NumberHead>
        <ColumnHead className="max-narrow:hidden">Mean by version</ColumnHead>
        <ColumnHead className="max-narrow:hidden">
          95% interval
          <IntervalScale />
        </ColumnHead>
        <ColumnHead>Success</ColumnHead>
        <FirstToBestHead className="max-narrow:pr-4" />
        <NumberHead className="max-narrow:hidden">Cost per point</NumberHead>
        <ColumnHead className="max-narrow:hidden">Last run</ColumnHead>
      </TableHead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <td className="wrap-anywhere">
              <div className="grid grid-cols-[1.375rem_minmax(0,1fr)]">
                {row.ended + row.unscored > 0 && row.mode !== 'tune' ? (
                  <CompareCheckbox experimentId={row.id} name={row.name} />
                ) : null}
                <div className="col-start-2">
                  <Link className="font-medium" href={`/experiments/${row.id}`}>
                    <bdi>{row.name}</bdi>
                  </Link>{' '}
                  <OriginBadges {...row} />
                  <span className="line-clamp-3 text-ink-3 text-sm">
                    {row.dataset === null ? '' : `${formatTitle(row.dataset, 60)} · `}
                    settings v{row.latestVersion} · {BASE_NAMES[row.base]}
                    {formatNames(row.models)}
                  </span>
                  {row.selfJudged ? (
                    <span className="block text-ink-3 text-sm">⚠ the model judges its own output</span>
                  ) : null}
                  <span className="narrow:hidden">
                    <span className="block">
                      <ExperimentState {...row} />
                    </span>
                  </span>
                </div>
              </div>
            </td>
            <td className="text-ink-2 text-sm max-narrow:hidden">{row.mode}</td>
            <td className="text-sm max-narrow:hidden">
              <ExperimentState {...row} />
            </td>
            <NumberCell className="max-narrow:hidden">{formatCount(row.runCount)}</NumberCell>
            <td className="max-narrow:hidden">
              <Sparkline scores={row.scores} threshold={row.qualityThreshold} />
            </td>
            <td className="max-narrow:hidden">{row.interval ? <IntervalBar interval={row.interval} /> : null}</td>
            <td className="whitespace-nowrap">
              <SuccessCell solved={row.solved} ended={row.ended} unscored={row.unscored} interval={row.interval} />
            </td>
            <FirstToBestCell
              first={row.firstScore ? `${formatScore(row.firstScore.mean)} →` : ''}
              best={row.bestScore?.mean ?? null}
            />
            <NumberCell className="text-sm max-narrow:hidden">
              {row.costPerPointUsd === null ? (
                <span className="text-ink-3">–</span>
              ) : (
                formatCost(row.costPerPointUsd, row.unpriced)
              )}
            </NumberCell>
            <td className="whitespace-nowrap text-ink-2 text-sm max-narrow:hidden">
              {row.lastRunAt ? (
                <time dateTime={row.lastRunAt} title={exactTime(row.lastRunAt)}>
                  {formatAgo(row.lastRunAt, now)}
                </time>
              ) : (
                'never'
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

type ExperimentStateProps = Pick<ExperimentTableRow, 'waiting' | 'underWay' | 'runCount' | 'flag'>;

/**
 * Shows the state that needs attention: waiting runs, running ones, criteria that seem too hard or too easy, or runs that cannot be scored.
 */
function ExperimentState({ waiting, underWay, runCount, flag }: ExperimentStateProps) {
  if (waiting > 0)
    return (
      <Badge tone="wait">
        <Pause />
        {formatCount(waiting)} waiting
      </Badge>
    );
  if (underWay > 0)
    return (
      <span className="whitespace-nowrap font-semibold text-brand text-sm">
        {formatCount(runCount - underWay)} of {formatCount(runCount)}, in progress
      </span>
    );
  if (flag === null) return null;
  return (
    <Badge tone="worse">
      <TriangleAlert />
      {flag}
    </Badge>
  );
}

/** Scale above a column of interval bars. */
function IntervalScale() {
  return (
    <Chart width={90} height={12} viewBox="0 0 90 12" aria-hidden className="block">
      <text x={4} y={10}>
        0
      </text>
      <text x={88} y={10} textAnchor="end">
        100%
      </text>
    </Chart>
  );
}

/** Draws a share and its interval on a line from 0 to 100%. It has no label because the table cell prints the numbers. */
function IntervalBar({ interval }: { interval: Interval }) {
  const x = (share: number) => 4 + share * 82;
  return (
    <svg width={90} height={14} viewBox="0 0 90 14" aria-hidden>
      <line className="stroke-line-strong" x1={4} x2={86} y1={7} y2={7} />
      <line className="stroke-[1.5] stroke-ink" x1={x(interval.low)} x2={x(interval.high)} y1={7} y2={7} />
      <circle className="fill-ink" cx={x(interval.share)} cy={7} r={3} />
    </svg>
  );
}
