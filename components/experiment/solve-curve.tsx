'use client';

import { Area, ComposedChart, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { CHART, ChartFrame, ChartTip } from '#components/ui/chart.tsx';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatPercent } from '#lib/format.ts';
import type { BatchReport } from '#lib/statistics/batch-report.ts';
import { SolveCurveMarks } from './solve-curve-marks.tsx';
import { SolveCurveTable } from './solve-curve-table.tsx';
import { formatBounds } from './success-cell.tsx';
import { versionLabel } from './version-label.ts';

export type CurvePoint = BatchReport['solveCurve'][number];
/** The curve of an older version of the settings, to be looked at beside this one's. */
export type OlderCurve = { settingsVersion: number; curve: readonly CurvePoint[] };

type SolveCurveProps = {
  curve: readonly CurvePoint[];
  older: OlderCurve | null;
  mode: ExperimentSettings['mode'];
};

/**
 * How many runs were ever solved by each attempt or version, as a curve with its interval, how many of them still were, and the same as
 * a table.
 */
export function SolveCurve({ curve, older, mode }: SolveCurveProps) {
  if (curve.length === 0) return <p className="text-ink-2">Nothing is scored yet.</p>;
  const noun = mode === 'retry' ? 'attempt' : 'version';
  const points = curve.map((point) => ({
    ...point,
    label: versionLabel(point.version, mode),
    bounds: [point.ever.low, point.ever.high],
    share: point.ever.share,
  }));
  return (
    <>
      <ChartFrame aria-label={summary(curve, mode, noun)}>
        <ResponsiveContainer width="100%" height={250} initialDimension={{ width: 416, height: 250 }}>
          <ComposedChart
            className={CHART}
            data={points}
            margin={{ top: 22, right: 84, bottom: 40, left: 40 }}
            accessibilityLayer={false}
          >
            <XAxis dataKey="label" hide scale="point" padding={{ left: 14, right: 14 }} />
            <YAxis domain={[0, 1]} hide />
            <Area
              dataKey="bounds"
              stroke="none"
              fill="var(--brand)"
              fillOpacity={0.13}
              isAnimationActive={false}
              activeDot={false}
              type="linear"
            />
            <Line dataKey="share" stroke="none" dot={false} activeDot={false} isAnimationActive={false} />
            <SolveCurveMarks curve={curve} older={older} mode={mode} noun={noun} />
            <Tooltip
              isAnimationActive={false}
              cursor={{ stroke: 'var(--line-strong)' }}
              content={<CurveTip points={points} noun={noun} />}
            />
          </ComposedChart>
        </ResponsiveContainer>
      </ChartFrame>
      <SolveCurveTable curve={curve} mode={mode} noun={noun} />
    </>
  );
}

function summary(curve: readonly CurvePoint[], mode: ExperimentSettings['mode'], noun: string): string {
  const course = curve.map(({ version, ever, current }) => {
    const now = current.solved === ever.solved ? '' : `, ${current.solved} of them still`;
    return `${versionLabel(version, mode)}: ${ever.solved}${now}`;
  });
  return `Ever solved by ${noun}, of ${curve[0]?.n ?? 0} runs: ${course.join('; ')}. The same stands in the table below.`;
}

type CurveTipProps = {
  points: readonly (CurvePoint & { label: string })[];
  noun: string;
  active?: boolean;
  label?: string | number;
};

function CurveTip({ points, noun, active, label }: CurveTipProps) {
  const point = points.find((candidate) => candidate.label === String(label));
  if (!active || !point) return null;
  const { ever, current, n } = point;
  return (
    <ChartTip>
      <b>
        By {noun} {point.label}
      </b>
      <br />
      ever solved {ever.solved} of {n}, {formatPercent(ever.share)} {formatBounds(ever)}
      <br />
      currently solved {current.solved} of {n}, {formatPercent(current.share)} {formatBounds(current)}
    </ChartTip>
  );
}
