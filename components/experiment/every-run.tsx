'use client';

import { useMemo } from 'react';
import { Line, LineChart, ResponsiveContainer, XAxis, YAxis } from 'recharts';
import { type Plot, usePlot } from '#components/run/use-plot.ts';
import { formatScore } from '#lib/format.ts';
import { type CourseMean, meanCourse, type RunCourse } from './run-courses.ts';

type EveryRunProps = { runs: readonly RunCourse[]; mode: 'revise' | 'retry' | 'tune'; threshold: number };

/** The scores of all runs of a batch as thin lines, and their mean. */
export function EveryRun({ runs, mode, threshold }: EveryRunProps) {
  const means = useMemo(() => meanCourse(runs, mode), [runs, mode]);
  if (means.length === 0) return <p className="muted">Nothing is scored yet.</p>;
  const lowest = Math.min(0.8, ...runs.flatMap(({ scores }) => scores.filter((score) => score !== null)));
  const bottom = Math.max(0, Math.floor(lowest * 5 + 1e-9) / 5);
  return (
    <figure className="chart-frame" aria-label={summary(runs, means, mode)}>
      <ResponsiveContainer width="100%" height={250} initialDimension={{ width: 360, height: 250 }}>
        <LineChart
          className="chart"
          data={means}
          margin={{ top: 22, right: 76, bottom: 40, left: 30 }}
          accessibilityLayer={false}
        >
          <XAxis dataKey="label" hide scale="point" padding={{ left: 14, right: 14 }} />
          <YAxis domain={[bottom, 1]} hide />
          <Line dataKey="mean" stroke="none" dot={false} activeDot={false} isAnimationActive={false} />
          <Courses runs={runs} means={means} bottom={bottom} threshold={threshold} mode={mode} />
        </LineChart>
      </ResponsiveContainer>
    </figure>
  );
}

type CoursesProps = EveryRunProps & { means: CourseMean[]; bottom: number };

function Courses({ runs, means, bottom, threshold, mode }: CoursesProps) {
  const plot = usePlot();
  if (plot === null) return null;
  const every = Math.ceil((means.length * 26) / (plot.right - plot.left));
  const ticks = Array.from({ length: Math.round((1 - bottom) / 0.2) + 1 }, (_, index) => bottom + index * 0.2);
  const last = means.at(-1);
  const at = (index: number) => plot.x(means[index]?.label ?? '');
  return (
    <g aria-hidden>
      {ticks.map((tick) => (
        <g key={tick}>
          <line className="grid" x1={plot.left} x2={plot.right} y1={plot.y(tick)} y2={plot.y(tick)} />
          <text x={plot.left - 6} y={plot.y(tick) + 3.6} textAnchor="end">
            {tick.toFixed(1)}
          </text>
        </g>
      ))}
      {threshold >= bottom ? (
        <line className="thr" x1={plot.left} x2={plot.right} y1={plot.y(threshold)} y2={plot.y(threshold)} />
      ) : null}
      {runs.map((run) => (
        <Course key={run.id} run={run} plot={plot} at={at} />
      ))}
      <polyline className="ovr" points={means.map(({ label, mean }) => `${plot.x(label)},${plot.y(mean)}`).join(' ')} />
      {means.map(({ label, mean }, index) => (
        <g key={label}>
          <circle className="pt" cx={plot.x(label)} cy={plot.y(mean)} r={3.2} />
          {index % every === 0 ? (
            <text x={plot.x(label)} y={plot.bottom + 15} textAnchor="middle">
              {label}
            </text>
          ) : null}
        </g>
      ))}
      <text x={(plot.left + plot.right) / 2} y={plot.bottom + 32} textAnchor="middle">
        {mode === 'retry' ? 'attempt' : 'version'}
      </text>
      {last ? (
        <text className="brandt" x={plot.right + 4} y={plot.y(last.mean) + 3.6}>
          mean {formatScore(last.mean)}
        </text>
      ) : null}
    </g>
  );
}

/** A run's line, broken where a version could not be scored; a cross at the end of one that was not solved. */
function Course({ run, plot, at }: { run: RunCourse; plot: Plot; at: (index: number) => number }) {
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
            className={unsolved ? 'course unsolved' : 'course'}
            points={stretch.map(({ x, y }) => `${x},${y}`).join(' ')}
          />
        ) : null,
      )}
      {unsolved && end ? <path className="course cross" d={`M${end.x - 3} ${end.y - 3} l6 6 m0 -6 l-6 6`} /> : null}
    </>
  );
}

function summary(runs: readonly RunCourse[], means: CourseMean[], mode: 'revise' | 'retry' | 'tune'): string {
  const noun = mode === 'retry' ? 'attempt' : 'version';
  const course = means.map(({ label, mean }) => `${label}: ${formatScore(mean)}`).join(', ');
  const unsolved = runs.filter(({ outcome }) => outcome === 'unsolved').length;
  return `Scores of ${runs.length} runs. Mean by ${noun}: ${course}. ${unsolved} ended unsolved.`;
}
