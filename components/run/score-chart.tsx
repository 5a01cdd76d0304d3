'use client';

import { useMemo } from 'react';
import { ChartTip, SERIES } from '#components/ui/chart.tsx';
import { usePlot } from '#components/ui/plot.ts';
import { ScoreChange } from '#components/ui/score-change.tsx';
import { roundTo6 } from '#lib/core/round.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatScore, formatScoreAgainst } from '#lib/format.ts';
import type { WhatIf } from '#lib/what-if/what-if.ts';
import { originLabel } from './run-versions.ts';
import { stopMeaning, stopTitle } from './stop-reason-labels.ts';
import { type Trajectory, toTrajectory } from './trajectory.ts';
import { endRoom, TrajectoryChart, TrajectoryEnd, TrajectoryRail } from './trajectory-chart.tsx';
import { TrajectoryLines } from './trajectory-lines.tsx';
import type { WhatIfLabel } from './use-what-if.ts';

type ScoreChartProps = {
  record: RunRecord;
  settings: ExperimentSettings;
  selected: number | null;
  onSelect?: (version: number) => void;
  /** Shows each score next to its dot, for charts without a version list below. */
  showValues?: boolean;
  height?: number;
  /** The point at which the run would have ended under other settings. */
  whatIf?: WhatIfMark | null;
};

/** Chart of scores by version: overall, criteria, threshold, best version, abandoned branches, unscored versions and the stop reason. */
export function ScoreChart(props: ScoreChartProps) {
  const { record, settings, selected, onSelect, showValues = false, height = 312, whatIf = null } = props;
  const trajectory = useMemo(
    () =>
      toTrajectory(
        record,
        settings.criteria.map(({ name }) => name),
      ),
    [record, settings],
  );
  const whatIfRoom = whatIf === null ? 0 : 22;
  const top = endRoom(record, settings);
  const hasRail = record.decisions.length > 0 || record.waitingFor !== null;
  return (
    <TrajectoryChart
      trajectory={trajectory}
      label={`${summary(trajectory, record, settings)}${whatIf ? ` What if: ${whatIf.labels.sentence}` : ''}`}
      title="Score by version. Arrow keys show the scores of each version, Enter selects it."
      height={height + whatIfRoom}
      margin={{ top: top + whatIfRoom, right: labelRoom(trajectory), bottom: hasRail ? 58 : 26 }}
      onSelect={onSelect}
      tip={<TrajectoryTip trajectory={trajectory} record={record} settings={settings} />}
    >
      <TrajectoryLines
        trajectory={trajectory}
        threshold={settings.qualityThreshold}
        selected={selected}
        best={record.bestVersion}
        showValues={showValues}
      />
      <TrajectoryEnd trajectory={trajectory} record={record} settings={settings} />
      {hasRail ? <TrajectoryRail trajectory={trajectory} record={record} /> : null}
      {whatIf ? <TrajectoryWhatIf trajectory={trajectory} mark={whatIf} room={top} /> : null}
    </TrajectoryChart>
  );
}

/** Returns the width in pixels reserved on the right for the line labels. */
function labelRoom({ criteria }: Trajectory): number {
  const longest = Math.max('Overall'.length, ...criteria.map((name) => Math.min(name.length, 14)));
  return Math.round(longest * 6.3) + 46;
}

function summary({ points }: Trajectory, record: RunRecord, settings: ExperimentSettings): string {
  if (points.length === 0) return 'Score trajectory: no version yet.';
  const notJudged = record.finishedAt === null ? 'not scored yet' : 'not scored';
  const scores = points.map((point) => (point.state === 'pending' ? notJudged : formatScore(point.overall))).join(', ');
  const left = points.filter((point) => point.left).map((point) => `Version ${point.version} was left.`);
  const best = record.bestVersion === null ? '' : `Best is version ${record.bestVersion}.`;
  const end = record.convergenceReason
    ? `${stopTitle(record.convergenceReason, record, settings)}. ${stopMeaning(record.convergenceReason, settings)}.`
    : record.waitingFor
      ? record.waitingFor.toolCall === null
        ? `Paused at version ${record.waitingFor.version}.`
        : `Paused before the use of ${record.waitingFor.toolCall.tool}.`
      : '';
  const of = points.length === 1 ? '1 version' : `${points.length} versions`;
  return [
    `Score trajectory of ${of}. Overall ${scores} against a threshold of ${formatScore(settings.qualityThreshold)}.`,
    ...left,
    best,
    end,
  ]
    .filter(Boolean)
    .join(' ');
}

type TrajectoryTipProps = {
  trajectory: Trajectory;
  record: RunRecord;
  settings: ExperimentSettings;
  active?: boolean;
  label?: string | number;
};

/** Shows all scores of the hovered version compared with its parent. */
function TrajectoryTip({ trajectory, record, settings, active, label }: TrajectoryTipProps) {
  const point = trajectory.points.find((candidate) => candidate.label === label);
  const version = record.versions.find((candidate) => candidate.number === point?.version);
  if (!active || !point || !version) return null;
  const parent = trajectory.points.find((candidate) => candidate.version === point.parent);
  const notJudged = record.finishedAt === null && !version.interrupted ? 'not yet' : 'not scored';
  const rows = [
    {
      name: 'Overall',
      score: point.overall,
      before: parent?.overall,
      className: 'font-semibold text-brand',
      floor: settings.qualityThreshold,
    },
    ...trajectory.criteria.map((name, index) => ({
      name,
      score: point.criteria[name] ?? null,
      before: parent?.criteria[name],
      className: SERIES[index % 5]?.text ?? '',
      floor: settings.criteria.find((criterion) => criterion.name === name)?.threshold ?? 0,
    })),
  ];
  return (
    <ChartTip>
      <b>{point.label}</b> <span className="text-ink-3">{originLabel(version)}</span>
      <table className="mt-1">
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <td className={row.className}>{row.name}</td>
              <td className={row.name === 'Overall' ? 'font-semibold' : undefined}>
                {point.state === 'pending' ? notJudged : shownScore(row.score, row.floor)}
              </td>
              <td className="text-ink-3">
                {row.score === null ? null : row.before == null ? (
                  parent ? (
                    'parent unscored'
                  ) : (
                    'first'
                  )
                ) : (
                  <ScoreChange by={row.score - row.before} />
                )}
                {row.score !== null && roundTo6(row.score) < roundTo6(row.floor) ? (
                  <span className="text-worse"> below {formatScoreAgainst(row.score, row.floor).threshold}</span>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ChartTip>
  );
}

function shownScore(score: number | null, floor: number): string {
  return score === null ? formatScore(null) : formatScoreAgainst(score, floor).score;
}

/** Chart marker of a what-if: its outcome and description, and its threshold if it differs from the run's (`own`). */
type WhatIfMark = { outcome: WhatIf; labels: WhatIfLabel; threshold: number | null; own: number };

type TrajectoryWhatIfProps = {
  trajectory: Trajectory;
  mark: WhatIfMark;
  /** Height in pixels of the stop reason, which is below the label. */
  room: number;
};

/** Shows where the run would have ended: a labelled line at that version and a flag at the version it would have returned. */
function TrajectoryWhatIf({ trajectory, mark, room }: TrajectoryWhatIfProps) {
  const plot = usePlot();
  const { outcome, labels, threshold, own } = mark;
  const last = trajectory.points.find(({ version }) => version === outcome.last);
  const picked = trajectory.points.find(({ version }) => version === outcome.returned);
  const isKnown = outcome.end.type === 'stops' || outcome.end.type === 'waits';
  const x = last ? plot.x(last.label) : plot.left;
  const isLeft = x - plot.left < (plot.right - plot.left) / 2;
  return (
    <g aria-hidden>
      {threshold !== null && threshold >= trajectory.lowest ? (
        <>
          <line
            className="stroke-[1.5] stroke-brand [stroke-dasharray:4_3]"
            x1={plot.left}
            x2={plot.right}
            y1={plot.y(threshold)}
            y2={plot.y(threshold)}
          />
          <text
            className="halo fill-brand font-semibold"
            x={plot.left + 5}
            y={plot.y(threshold) + (threshold < own ? 13 : -5)}
          >
            what if {threshold.toFixed(2)}
          </text>
        </>
      ) : null}
      <line
        className={isKnown ? 'stroke-[1.5] stroke-brand' : 'stroke-[1.5] stroke-brand [stroke-dasharray:4_3]'}
        x1={x}
        x2={x}
        y1={plot.top - room - 4}
        y2={plot.bottom}
      />
      <circle className="fill-brand" cx={x} cy={plot.top - room - 7} r={4} />
      <text
        className="halo fill-brand font-semibold"
        x={isLeft ? x + 9 : x - 9}
        y={plot.top - room - 3}
        textAnchor={isLeft ? 'start' : 'end'}
      >
        What if: {labels.as}, {labels.ends}
      </text>
      {picked && picked.overall !== null && isKnown ? (
        <text
          className="halo fill-brand font-semibold"
          x={plot.x(picked.label) - 8}
          y={plot.y(picked.overall) - 8}
          textAnchor="end"
        >
          returned
        </text>
      ) : null}
    </g>
  );
}
