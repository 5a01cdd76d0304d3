'use client';

import { useMemo } from 'react';
import { AxisLines, ChartFrame, ChartTip } from '#components/ui/chart.tsx';
import { type Plot, usePlot } from '#components/ui/plot.ts';
import { PlotBand, PlotChart } from '#components/ui/plot-chart.tsx';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatScore } from '#lib/format.ts';
import type { TrajectoryPoint } from '#lib/statistics/batch-report.ts';
import { versionLabel } from './version-label.ts';

/** Run in the chart of all runs. `scores` by version, null if unscored. */
type RunTrajectory = { id: string; scores: readonly (number | null)[]; outcome: 'solved' | 'unsolved' | 'open' };

type AllRunsChartProps = {
  runs: readonly RunTrajectory[];
  means: readonly TrajectoryPoint[];
  mode: ExperimentSettings['mode'];
  threshold: number;
  /** True if several runs share a case. The interval of the mean assumes independent cases, so it is then not drawn. */
  isRepeated: boolean;
};

/** Draws the scores of all runs of a batch as thin lines, and their mean with its 95% interval and spread. */
export function AllRunsChart({ runs, means, mode, threshold, isRepeated }: AllRunsChartProps) {
  const labels = useMemo(() => means.map(({ version }) => versionLabel(version, mode)), [means, mode]);
  if (means.length === 0) return <p className="text-ink-2">No scores yet.</p>;
  const lowest = Math.min(
    0.8,
    ...means.map(({ low, mean }) => low ?? mean),
    ...runs.flatMap(({ scores }) => scores.filter((score) => score !== null)),
  );
  const bottom = Math.max(0, Math.floor(lowest * 5 + 1e-9) / 5);
  return (
    <ChartFrame aria-label={summary(runs, means, mode, isRepeated)}>
      <PlotChart
        labels={labels}
        domain={[bottom, 1]}
        height={250}
        margin={MARGIN}
        initialWidth={360}
        tip={<MeanTip means={means} mode={mode} isRepeated={isRepeated} />}
      >
        {isRepeated ? null : (
          <PlotBand
            points={means.map(({ version, mean, low, high }) => ({
              label: versionLabel(version, mode),
              low: low ?? mean,
              high: high ?? mean,
            }))}
          />
        )}
        <ScoreLines runs={runs} means={means} bottom={bottom} threshold={threshold} mode={mode} />
      </PlotChart>
    </ChartFrame>
  );
}

const MARGIN = { top: 22, right: 76, bottom: 40, left: 30 };

type MeanTipProps = Pick<AllRunsChartProps, 'means' | 'mode' | 'isRepeated'> & {
  active?: boolean;
  label?: string | number;
};

/** Tooltip with the mean of all runs at the hovered version. */
function MeanTip({ means, mode, isRepeated, active, label }: MeanTipProps) {
  const point = means.find(({ version }) => versionLabel(version, mode) === String(label));
  if (!active || !point) return null;
  return (
    <ChartTip>
      <b>
        {mode === 'retry' ? 'Attempt' : 'Version'} {label}
      </b>
      <br />
      {meanLabel(point, isRepeated)}
    </ChartTip>
  );
}

type ScoreLinesProps = Omit<AllRunsChartProps, 'isRepeated'> & { bottom: number };

function ScoreLines({ runs, means, bottom, threshold, mode }: ScoreLinesProps) {
  const plot = usePlot();
  const every = Math.ceil((means.length * 26) / (plot.right - plot.left));
  const ticks = Array.from({ length: Math.round((1 - bottom) / 0.2) + 1 }, (_, index) => bottom + index * 0.2);
  const last = means.at(-1);
  const at = (version: number) => plot.x(versionLabel(version, mode));
  return (
    <g aria-hidden>
      <AxisLines
        ticks={ticks}
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
        {mode === 'retry' ? 'attempt' : 'version'}
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
  const stretches: { x: number; y: number }[][] = [[]];
  run.scores.forEach((score, index) => {
    if (score === null) stretches.push([]);
    else stretches.at(-1)?.push({ x: at(index), y: plot.y(score) });
  });
  const end = stretches.at(-1)?.at(-1);
  const unsolved = run.outcome === 'unsolved';
  return (
    <>
      {stretches.map((stretch, index) =>
        stretch.length > 1 ? (
          <polyline
            // biome-ignore lint/suspicious/noArrayIndexKey: the stretches of a line stand in a fixed order
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

function summary(
  runs: readonly RunTrajectory[],
  means: readonly TrajectoryPoint[],
  mode: ExperimentSettings['mode'],
  isRepeated: boolean,
): string {
  const noun = mode === 'retry' ? 'attempt' : 'version';
  const course = means.map((point) => `${versionLabel(point.version, mode)}: ${meanLabel(point, isRepeated)}`);
  const unsolved = runs.filter(({ outcome }) => outcome === 'unsolved').length;
  return `Scores of ${runs.length} runs. Mean by ${noun}: ${course.join('; ')}. ${unsolved} ended unsolved.`;
}

function meanLabel({ mean, standardDeviation, low, high, n }: TrajectoryPoint, isRepeated: boolean): string {
  const spread = standardDeviation === null ? '' : `, standard deviation ${formatScore(standardDeviation)}`;
  const interval =
    isRepeated || low === null || high === null ? '' : `, 95% interval ${formatScore(low)} to ${formatScore(high)}`;
  return `${formatScore(mean)} of ${n}${spread}${interval}`;
}
