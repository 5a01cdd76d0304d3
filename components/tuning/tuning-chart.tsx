'use client';

import { useMemo } from 'react';
import { stopTitle } from '#components/run/stop-reason-labels.ts';
import type { Trajectory } from '#components/run/trajectory.ts';
import { endRoom, TrajectoryChart, TrajectoryEnd, TrajectoryRail } from '#components/run/trajectory-chart.tsx';
import { TrajectoryLines } from '#components/run/trajectory-lines.tsx';
import { ChartTip, SERIES } from '#components/ui/chart.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { type Plot, spreadLabels, usePlot } from '#components/ui/plot.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatNumberOf, formatScore, joinParts } from '#lib/format.ts';
import type { MeanInterval } from '#lib/statistics/intervals.ts';
import type { TunedVersion, TuningSummary } from '#lib/statistics/tuning-summary.ts';
import { decisionReason, stateLabel } from './labels.ts';
import { spreadLabel } from './mean-label.tsx';
import { isRejected, tuningTrajectory } from './tuning-trajectory.ts';

type TuningChartProps = {
  record: RunRecord;
  tuning: TuningSummary;
  settings: ExperimentSettings;
  selected: number | null;
  onSelect: (version: number) => void;
};

/**
 * Chart of candidates by the mean used for selection, with its interval. Training and held-out curves are separate. Prompts that never
 * became candidates are marks.
 */
export function TuningChart({ record, tuning, settings, selected, onSelect }: TuningChartProps) {
  const trajectory = useMemo(() => tuningTrajectory(tuning, record.bestVersion), [tuning, record.bestVersion]);
  const isEnded = record.convergenceReason !== null;
  return (
    <TrajectoryChart
      trajectory={trajectory}
      label={summary(record, tuning, settings)}
      title="Means by prompt. Arrow keys show the means of each prompt, Enter selects it."
      height={312}
      margin={{ top: endRoom(record, settings), right: 100, bottom: 58 }}
      onSelect={onSelect}
      tip={<TuningTip tuning={tuning} isEnded={isEnded} />}
    >
      <TrajectoryLines
        trajectory={trajectory}
        threshold={settings.qualityThreshold}
        selected={selected}
        best={record.bestVersion}
        showValues={false}
        hasEndLabels={false}
      />
      <TuningMarks tuning={tuning} trajectory={trajectory} />
      <TrajectoryEnd trajectory={trajectory} record={record} settings={settings} />
      <TrajectoryRail trajectory={trajectory} record={record} />
    </TrajectoryChart>
  );
}

/** Returns the text alternative of the chart. */
function summary(record: RunRecord, { versions, cases }: TuningSummary, settings: ExperimentSettings): string {
  const each = versions.map((version) => {
    const label = stateLabel(version, record.convergenceReason !== null);
    const mean = version.chosenBy;
    const heldOut = version.heldOut;
    return joinParts(
      `v${version.number} ${label}`,
      mean === null ? '' : `mean ${formatScore(mean.mean)}, ${spreadLabel(mean)}`,
      heldOut === null ? '' : `held out ${formatScore(heldOut.mean)}, n ${heldOut.n}`,
    );
  });
  const end = record.convergenceReason === null ? '' : ` ${stopTitle(record.convergenceReason, record)}.`;
  return `Means of ${formatNumberOf(versions.length, 'prompt')} over ${formatNumberOf(cases.validation || cases.train, 'case')} against a threshold of ${formatScore(settings.qualityThreshold)}: ${each.join('; ')}.${end}`;
}

type TuningTipProps = {
  tuning: TuningSummary;
  isEnded: boolean;
  active?: boolean;
  label?: string | number;
};

/** Tooltip with all means of a prompt, their intervals and case counts, and the reason for its state. */
function TuningTip({ tuning, isEnded, active, label }: TuningTipProps) {
  const version = tuning.versions.find(({ number }) => `v${number}` === label);
  if (!active || version === undefined) return null;
  const reason = decisionReason(version);
  const rows: { name: string; mean: MeanInterval | null; className: string }[] = [
    { name: 'Validation', mean: version.validation, className: 'font-semibold text-brand' },
    { name: 'Training', mean: version.train, className: 'text-s1' },
    { name: 'Held out', mean: version.heldOut, className: 'text-s2' },
  ];
  return (
    <ChartTip className="max-w-72">
      <b>v{version.number}</b> <span className="text-ink-3">{stateLabel(version, isEnded)}</span>
      <table className="mt-1">
        <tbody>
          {rows.map(({ name, mean, className }) => (
            <tr key={name}>
              <td className={className}>{name}</td>
              <td className="font-semibold">{mean === null ? '–' : formatScore(mean.mean)}</td>
              <td className="text-ink-3">{mean === null ? 'not on all cases' : spreadLabel(mean)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {reason === '' ? null : <p className="mt-1 whitespace-normal text-ink-2 text-sm">{reason}</p>}
    </ChartTip>
  );
}

const MAX_VERSIONS_WITH_TRAINING = 12;

type TuningMarksProps = { tuning: TuningSummary; trajectory: Trajectory };
type Point = { x: number; y: number; value: number };

/** Draws everything except the main line: intervals, training and held-out curves, marks of rejected proposals, and line labels. */
function TuningMarks({ tuning, trajectory }: TuningMarksProps) {
  const plot = usePlot();
  const candidates = tuning.versions.filter((version) => !isRejected(version));
  const at = (of: (version: TunedVersion) => number | undefined): Point[] =>
    candidates.flatMap((version) => {
      const value = of(version);
      return value === undefined ? [] : [{ x: plot.x(`v${version.number}`), y: plot.y(value), value }];
    });
  const curves = [
    // If training cases select the candidate, they are the main line. In a long run, each training mean covers a few different cases.
    {
      name: 'Training',
      series: 1,
      points:
        tuning.validatesOn === 'train' || tuning.versions.length > MAX_VERSIONS_WITH_TRAINING
          ? []
          : at(({ train }) => train?.mean),
    },
    { name: 'Held out', series: 2, points: at(({ heldOut }) => heldOut?.mean) },
  ];
  return (
    <g aria-hidden>
      {candidates.map((version) => (
        <Whisker key={version.number} plot={plot} version={version} />
      ))}
      {curves.map(({ name, series, points }) => (
        <Curve key={name} series={series} points={points} />
      ))}
      {tuning.versions.filter(isRejected).map((version) => (
        <ProposalMark key={version.number} plot={plot} version={version} />
      ))}
      <EndLabels plot={plot} tuning={tuning} trajectory={trajectory} curves={curves} />
    </g>
  );
}

function Whisker({ plot, version }: { plot: Plot; version: TunedVersion }) {
  const mean = version.chosenBy;
  if (mean === null || mean.low === null || mean.high === null) return null;
  const x = plot.x(`v${version.number}`);
  return (
    <path
      className="stroke-brand opacity-55"
      d={`M${x - 4} ${plot.y(mean.high)} h8 m-4 0 V${plot.y(mean.low)} m-4 0 h8`}
      fill="none"
    />
  );
}

function Curve({ series, points }: { series: number; points: Point[] }) {
  return (
    <>
      {points.slice(1).map((point, index) => {
        const before = points[index];
        return before === undefined ? null : (
          <line
            key={point.x}
            className={classNames('stroke-[1.25]', SERIES[series - 1]?.stroke)}
            x1={before.x}
            y1={before.y}
            x2={point.x}
            y2={point.y}
          />
        );
      })}
      {points.map(({ x, y }) => (
        <rect key={x} className={SERIES[series - 1]?.fill} x={x - 2.5} y={y - 2.5} width={5} height={5} />
      ))}
    </>
  );
}

/**
 * Mark of a proposal that never became a candidate: cross if rejected, barred circle if held back, plus in a circle if combined, otherwise
 * a ring.
 */
function ProposalMark({ plot, version }: { plot: Plot; version: TunedVersion }) {
  const x = plot.x(`v${version.number}`);
  const y = plot.bottom - 12;
  switch (version.state) {
    case 'rejected':
      return <path className="fill-none stroke-[1.5] stroke-ink-3" d={`M${x - 4} ${y - 4} l8 8 m0 -8 l-8 8`} />;
    case 'held_back':
      return (
        <path
          className="fill-none stroke-[1.5] stroke-ink-3"
          d={`M${x - 5} ${y} h10 m-5 -5 m-5 5 a5 5 0 1 0 10 0 a5 5 0 1 0 -10 0`}
        />
      );
    case 'combined':
      return (
        <path
          className="fill-none stroke-[1.5] stroke-ink-3"
          d={`M${x - 5} ${y} h10 m-5 -5 v10 m-5 -5 a5 5 0 1 0 10 0 a5 5 0 1 0 -10 0`}
        />
      );
    default:
      return <circle className="fill-none stroke-[1.5] stroke-ink-3" cx={x} cy={y} r={4} />;
  }
}

type Curves = { name: string; series: number; points: Point[] }[];

function EndLabels({ plot, tuning, trajectory, curves }: TuningMarksProps & { plot: Plot; curves: Curves }) {
  const last = trajectory.points.findLast(({ overall }) => overall !== null);
  const main = tuning.validatesOn === 'train' ? 'Training' : 'Validation';
  const labels = [
    ...(last === undefined || last.overall === null
      ? []
      : [{ name: main, score: last.overall, at: plot.y(last.overall), className: 'fill-brand font-semibold' }]),
    ...curves.flatMap(({ name, series, points }) => {
      const end = points.at(-1);
      return end === undefined
        ? []
        : [{ name, score: end.value, at: end.y, className: classNames('font-medium', SERIES[series - 1]?.fill) }];
    }),
  ];
  return spreadLabels(labels, 14, plot.top, plot.bottom).map((label) => (
    <text key={label.name} className={label.className} x={plot.right + 13} y={label.y + 3.8}>
      {label.name} <tspan className="font-semibold">{formatScore(label.score)}</tspan>
    </text>
  ));
}
