'use client';

import { useMemo } from 'react';
import { AxisLines, ChartFrame, ChartTip } from '#components/ui/chart.tsx';
import { usePlot } from '#components/ui/plot.ts';
import { PlotBand, PlotChart } from '#components/ui/plot-chart.tsx';
import { spreadLabels } from '#components/ui/spread-labels.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatPercent } from '#lib/format.ts';
import type { BatchReport } from '#lib/statistics/batch-report.ts';
import { formatBounds } from './success-cell.tsx';
import { versionLabel } from './version-label.ts';

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
  const noun = mode === 'retry' ? 'attempt' : 'version';
  return (
    <ChartFrame aria-label={summary(curve, mode, noun)}>
      <PlotChart
        labels={labels}
        domain={[0, 1]}
        height={250}
        margin={MARGIN}
        initialWidth={416}
        tip={<CurveTip curve={curve} mode={mode} noun={noun} />}
      >
        <SolveCurveMarks curve={curve} older={older} mode={mode} noun={noun} />
      </PlotChart>
    </ChartFrame>
  );
}

const MARGIN = { top: 22, right: 84, bottom: 40, left: 40 };

function summary(curve: readonly CurvePoint[], mode: ExperimentSettings['mode'], noun: string): string {
  const course = curve.map(({ version, ever, current }) => {
    const now = current.solved === ever.solved ? '' : ` (${current.solved} currently)`;
    return `${versionLabel(version, mode)}: ${ever.solved}${now}`;
  });
  return `Ever solved by ${noun}, of ${curve[0]?.n ?? 0} runs: ${course.join(', ')}. The table below has the same numbers.`;
}

type CurveTipProps = {
  curve: readonly CurvePoint[];
  mode: ExperimentSettings['mode'];
  noun: string;
  active?: boolean;
  label?: string | number;
};

function CurveTip({ curve, mode, noun, active, label }: CurveTipProps) {
  const point = curve.find(({ version }) => versionLabel(version, mode) === String(label));
  if (!active || !point) return null;
  const { ever, current, n } = point;
  return (
    <ChartTip>
      <b>
        By {noun} {label}
      </b>
      <br />
      ever solved {ever.solved} of {n}, {formatPercent(ever.share)} {formatBounds(ever)}
      <br />
      currently solved {current.solved} of {n}, {formatPercent(current.share)} {formatBounds(current)}
    </ChartTip>
  );
}

type SolveCurveMarksProps = {
  curve: readonly CurvePoint[];
  older: OlderCurve | null;
  mode: ExperimentSettings['mode'];
  noun: string;
};

/** Custom SVG of the chart: grid, curves, counts at the points, and labels at the ends. */
function SolveCurveMarks({ curve, older, mode, noun }: SolveCurveMarksProps) {
  const plot = usePlot();
  const last = curve.at(-1);
  if (last === undefined) return null;
  const at = (version: number) => plot.x(versionLabel(version, mode));
  const line = (points: readonly CurvePoint[], kind: 'ever' | 'current') =>
    points.map((point) => `${at(point.version)},${plot.y(point[kind].share)}`).join(' ');
  const every = Math.ceil((curve.length * 26) / (plot.right - plot.left));
  const falls = curve.some(({ ever, current }) => current.solved < ever.solved);
  const top = plot.y(last.ever.share);
  // Labels of lower curve ends go below the two labels of the main curve, not between them.
  const under = (y: number) => (y < top ? y : Math.max(y, top + 13.2));
  const beside = older === null ? [] : fitCurveToAxis(older.curve, curve);
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
      {beside.length > 1 ? (
        <polyline
          className="fill-none stroke-[1.5] stroke-ink-3 [stroke-dasharray:2_3]"
          points={line(beside, 'ever')}
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
        {noun}
      </text>
      {spreadLabels(
        [
          { at: top, text: `ever ${formatPercent(last.ever.share)}`, className: 'fill-brand font-semibold' },
          { at: top + 13, text: formatBounds(last.ever), className: '' },
          ...(falls
            ? [
                {
                  at: under(plot.y(last.current.share)),
                  text: `now ${formatPercent(last.current.share)}`,
                  className: 'fill-ink',
                },
              ]
            : []),
          ...olderLabel(older, beside, (share) => under(plot.y(share))),
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

function olderLabel(older: OlderCurve | null, beside: readonly CurvePoint[], yOf: (share: number) => number) {
  const end = beside.at(-1);
  if (older === null || end === undefined) return [];
  return [
    {
      at: yOf(end.ever.share),
      text: `v${older.settingsVersion} ${formatPercent(end.ever.share)}`,
      className: 'fill-ink-2',
    },
  ];
}
