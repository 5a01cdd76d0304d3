'use client';

import { useMemo } from 'react';
import { AxisLines, ChartFrame, ChartTip } from '#components/ui/chart.tsx';
import { type Plot, spreadLabels, usePlot } from '#components/ui/plot.ts';
import { PlotBand, PlotChart } from '#components/ui/plot-chart.tsx';
import { scoreAxisBottom, scoreTicks } from '#components/ui/score-axis.ts';
import { toStretches } from '#components/ui/sparkline.tsx';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatNumberOf, formatPercent, formatScore } from '#lib/format.ts';
import type { BatchReport, TrajectoryPoint } from '#lib/statistics/batch-report.ts';
import { formatBounds } from './success-cell.tsx';
import { versionLabel, versionNoun } from './version-label.ts';

type CurvePoint = BatchReport['solveCurve'][number];
/** Curve of an older settings version, for comparison. */
type OlderCurve = { settingsVersion: number; curve: readonly CurvePoint[] };

type SolveCurveProps = {
  curve: readonly CurvePoint[];
  older: OlderCurve | null;
  mode: ExperimentSettings['mode'];
};

/**
 * Chart of the runs ever solved by each attempt or version, with its interval, and of the runs still solved. Used above a
 * `SolveCurveTable`.
 */
export function SolveCurve({ curve, older, mode }: SolveCurveProps) {
  const labels = useMemo(() => curve.map(({ version }) => versionLabel(version, mode)), [curve, mode]);
  if (curve.length === 0) return <p className="text-ink-2">No scores yet.</p>;
  return (
    <ChartFrame aria-label={curveSummary(curve, mode)}>
      <PlotChart
        labels={labels}
        domain={[0, 1]}
        height={250}
        margin={CURVE_MARGIN}
        initialWidth={416}
        tip={<CurveTip curve={curve} mode={mode} />}
      >
        <SolveCurveMarks curve={curve} older={older} mode={mode} />
      </PlotChart>
    </ChartFrame>
  );
}

const CURVE_MARGIN = { top: 22, right: 84, bottom: 40, left: 40 };

function curveSummary(curve: readonly CurvePoint[], mode: ExperimentSettings['mode']): string {
  const course = curve.map(({ version, ever, current }) => {
    const now = current.solved === ever.solved ? '' : ` (${current.solved} currently)`;
    return `${versionLabel(version, mode)}: ${ever.solved}${now}`;
  });
  return `Ever solved by ${versionNoun(mode)}, of ${curve[0]?.n ?? 0} runs: ${course.join(', ')}. The table below has the same numbers.`;
}

/** Props that the chart library adds to a tooltip. */
type TipProps = { active?: boolean; label?: string | number };

function CurveTip({ curve, mode, active, label }: Pick<SolveCurveProps, 'curve' | 'mode'> & TipProps) {
  const point = curve.find(({ version }) => versionLabel(version, mode) === String(label));
  if (!active || !point) return null;
  const { ever, current, n } = point;
  return (
    <ChartTip>
      <b>
        By {versionNoun(mode)} {label}
      </b>
      <br />
      ever solved {ever.solved} of {n}, {formatPercent(ever.share)} {formatBounds(ever)}
      <br />
      currently solved {current.solved} of {n}, {formatPercent(current.share)} {formatBounds(current)}
    </ChartTip>
  );
}

/** Custom SVG of the chart: grid, curves, counts at the points, and labels at the ends. */
function SolveCurveMarks({ curve, older, mode }: SolveCurveProps) {
  const plot = usePlot();
  const last = curve.at(-1);
  if (last === undefined) return null;
  const at = (version: number) => plot.x(versionLabel(version, mode));
  const line = (points: readonly CurvePoint[], kind: 'ever' | 'current') =>
    points.map((point) => `${at(point.version)},${plot.y(point[kind].share)}`).join(' ');
  const every = Math.ceil((curve.length * 26) / (plot.right - plot.left));
  const falls = curve.some(({ ever, current }) => current.solved < ever.solved);
  const top = plot.y(last.ever.share);
  const fitted = older === null ? [] : fitCurveToAxis(older.curve, curve);
  const end = fitted.at(-1);
  // Labels of lower curve ends go below the two labels of the main curve, not between them.
  const lowerLabel = (name: string, share: number, className: string) => {
    const y = plot.y(share);
    return { at: y < top ? y : Math.max(y, top + 13.2), text: `${name} ${formatPercent(share)}`, className };
  };
  return (
    <g aria-hidden>
      <PlotBand
        points={curve.map(({ version, ever }) => ({
          label: versionLabel(version, mode),
          low: ever.low,
          high: ever.high,
        }))}
      />
      <AxisLines left={plot.left} right={plot.right} y={plot.y} />
      {fitted.length > 1 ? (
        <polyline
          className="fill-none stroke-[1.5] stroke-ink-3 [stroke-dasharray:2_3]"
          points={line(fitted, 'ever')}
        />
      ) : null}
      {falls ? (
        <polyline
          className="fill-none stroke-[1.5] stroke-ink [stroke-dasharray:6_3]"
          points={line(curve, 'current')}
        />
      ) : null}
      <polyline
        className="fill-none stroke-[2.5] stroke-brand [stroke-linecap:round] [stroke-linejoin:round]"
        points={line(curve, 'ever')}
      />
      {curve.map(({ version, ever }, index) => (
        <g key={version}>
          <circle className="fill-surface stroke-2 stroke-brand" cx={at(version)} cy={plot.y(ever.share)} r={3.2} />
          {index === curve.length - 1 || (index % every === 0 && index + every < curve.length) ? (
            <>
              <text
                className="halo fill-ink font-semibold"
                x={at(version)}
                y={plot.y(ever.share) - 9}
                textAnchor="middle"
              >
                {ever.solved}
              </text>
              <text x={at(version)} y={plot.bottom + 15} textAnchor="middle">
                {versionLabel(version, mode)}
              </text>
            </>
          ) : null}
        </g>
      ))}
      <text x={(plot.left + plot.right) / 2} y={plot.bottom + 32} textAnchor="middle">
        {versionNoun(mode)}
      </text>
      {spreadLabels(
        [
          { at: top, text: `ever ${formatPercent(last.ever.share)}`, className: 'fill-brand font-semibold' },
          { at: top + 13, text: formatBounds(last.ever), className: '' },
          ...(falls ? [lowerLabel('now', last.current.share, 'fill-ink')] : []),
          ...(older && end ? [lowerLabel(`v${older.settingsVersion}`, end.ever.share, 'fill-ink-2')] : []),
        ],
        13.5,
        plot.top,
        plot.bottom,
      ).map(({ text, className, y }) => (
        <text key={text} className={className} x={plot.right + 6} y={y + 3.6}>
          {text}
        </text>
      ))}
    </g>
  );
}

/** Fits an older curve to the axis: cuts it, or extends it with its last value. */
function fitCurveToAxis(older: readonly CurvePoint[], curve: readonly CurvePoint[]): CurvePoint[] {
  const end = older.at(-1);
  if (end === undefined) return [];
  return curve.map(({ version }) => ({ ...(older[version] ?? end), version }));
}

/** Run in the chart of all runs. `scores` by version, null if unscored. */
type RunTrajectory = { id: string; scores: readonly (number | null)[]; outcome: 'solved' | 'unsolved' | 'open' };

type AllRunsChartProps = {
  runs: readonly RunTrajectory[];
  means: readonly TrajectoryPoint[];
  mode: ExperimentSettings['mode'];
  threshold: number;
};

/** Draws the scores of all runs of a batch as thin lines, and their mean with its 95% interval and spread. */
export function AllRunsChart({ runs, means, mode, threshold }: AllRunsChartProps) {
  const labels = useMemo(() => means.map(({ version }) => versionLabel(version, mode)), [means, mode]);
  if (means.length === 0) return <p className="text-ink-2">No scores yet.</p>;
  const bottom = scoreAxisBottom([
    ...means.map(({ low, mean }) => low ?? mean),
    ...runs.flatMap(({ scores }) => scores.filter((score) => score !== null)),
  ]);
  return (
    <ChartFrame aria-label={runsSummary(runs, means, mode)}>
      <PlotChart
        labels={labels}
        domain={[bottom, 1]}
        height={250}
        margin={RUNS_MARGIN}
        initialWidth={360}
        tip={<MeanTip means={means} mode={mode} />}
      >
        <PlotBand
          points={means.map(({ version, mean, low, high }) => ({
            label: versionLabel(version, mode),
            low: low ?? mean,
            high: high ?? mean,
          }))}
        />
        <ScoreLines runs={runs} means={means} bottom={bottom} threshold={threshold} mode={mode} />
      </PlotChart>
    </ChartFrame>
  );
}

const RUNS_MARGIN = { top: 22, right: 76, bottom: 40, left: 30 };

/** Tooltip with the mean of all runs at the hovered version. */
function MeanTip({ means, mode, active, label }: Pick<AllRunsChartProps, 'means' | 'mode'> & TipProps) {
  const point = means.find(({ version }) => versionLabel(version, mode) === String(label));
  if (!active || !point) return null;
  return (
    <ChartTip>
      <b>
        {mode === 'retry' ? 'Attempt' : 'Version'} {label}
      </b>
      <br />
      {meanLabel(point)}
    </ChartTip>
  );
}

type ScoreLinesProps = AllRunsChartProps & { bottom: number };

function ScoreLines({ runs, means, bottom, threshold, mode }: ScoreLinesProps) {
  const plot = usePlot();
  const every = Math.ceil((means.length * 26) / (plot.right - plot.left));
  const last = means.at(-1);
  const at = (version: number) => plot.x(versionLabel(version, mode));
  return (
    <g aria-hidden>
      <AxisLines
        ticks={scoreTicks(bottom)}
        left={plot.left}
        right={plot.right}
        y={plot.y}
        labelOf={(tick) => tick.toFixed(1)}
        marksZero={false}
      />
      {threshold >= bottom ? (
        <>
          <line
            className="stroke-ink-2 [stroke-dasharray:4_3]"
            x1={plot.left}
            x2={plot.right}
            y1={plot.y(threshold)}
            y2={plot.y(threshold)}
          />
          <text className="halo fill-ink-2" x={plot.right - 2} y={plot.y(threshold) - 5} textAnchor="end">
            threshold
          </text>
        </>
      ) : null}
      {runs.map((run) => (
        <ScoreLine key={run.id} run={run} plot={plot} at={at} />
      ))}
      <polyline
        className="fill-none stroke-[2.5] stroke-brand [stroke-linecap:round] [stroke-linejoin:round]"
        points={means.map(({ version, mean }) => `${at(version)},${plot.y(mean)}`).join(' ')}
      />
      {means.map(({ version, mean }, index) => (
        <g key={version}>
          <circle className="fill-surface stroke-2 stroke-brand" cx={at(version)} cy={plot.y(mean)} r={3.2} />
          {index % every === 0 ? (
            <text x={at(version)} y={plot.bottom + 15} textAnchor="middle">
              {versionLabel(version, mode)}
            </text>
          ) : null}
        </g>
      ))}
      <text x={(plot.left + plot.right) / 2} y={plot.bottom + 32} textAnchor="middle">
        {versionNoun(mode)}
      </text>
      {last ? (
        <>
          <text className="fill-brand font-semibold" x={plot.right + 4} y={plot.y(last.mean) + 3.6}>
            mean {formatScore(last.mean)}
          </text>
          {last.standardDeviation === null ? null : (
            <text x={plot.right + 4} y={plot.y(last.mean) + 17}>
              sd {formatScore(last.standardDeviation)}
            </text>
          )}
        </>
      ) : null}
    </g>
  );
}

/** Line of one run, with gaps at unscored versions. A cross marks the end of an unsolved run. */
function ScoreLine({ run, plot, at }: { run: RunTrajectory; plot: Plot; at: (index: number) => number }) {
  const stretches = toStretches(run.scores).map((stretch) =>
    stretch.map(({ index, value }) => ({ x: at(index), y: plot.y(value) })),
  );
  const end = run.scores.at(-1) === null ? undefined : stretches.at(-1)?.at(-1);
  const unsolved = run.outcome === 'unsolved';
  return (
    <>
      {stretches.map((stretch, index) =>
        stretch.length > 1 ? (
          <polyline
            // biome-ignore lint/suspicious/noArrayIndexKey: the segments of a line keep their order
            key={index}
            className={
              unsolved
                ? 'fill-none stroke-worse [stroke-dasharray:3_2.5] [stroke-opacity:0.8]'
                : 'fill-none stroke-ink-3 [stroke-opacity:0.45]'
            }
            points={stretch.map(({ x, y }) => `${x},${y}`).join(' ')}
          />
        ) : null,
      )}
      {unsolved && end ? (
        <path
          className="fill-none stroke-[1.5] stroke-worse [stroke-dasharray:none]"
          d={`M${end.x - 3} ${end.y - 3} l6 6 m0 -6 l-6 6`}
        />
      ) : null}
    </>
  );
}

function runsSummary(
  runs: readonly RunTrajectory[],
  means: readonly TrajectoryPoint[],
  mode: ExperimentSettings['mode'],
): string {
  const course = means.map((point) => `${versionLabel(point.version, mode)}: ${meanLabel(point)}`);
  const unsolved = runs.filter(({ outcome }) => outcome === 'unsolved').length;
  return `Scores of ${runs.length} runs. Mean by ${versionNoun(mode)}: ${course.join('; ')}. ${unsolved} ended unsolved.`;
}

function meanLabel({ mean, standardDeviation, low, high, n }: TrajectoryPoint): string {
  const spread = standardDeviation === null ? '' : `, standard deviation ${formatScore(standardDeviation)}`;
  const interval = low === null || high === null ? '' : `, 95% interval ${formatScore(low)} to ${formatScore(high)}`;
  return `${formatScore(mean)} of ${formatNumberOf(n, 'case')}${spread}${interval}`;
}
