import { useRef } from 'react';
import { ErrorBar, Scatter, ScatterChart, type ScatterPointItem, type ScatterShapeProps, XAxis, YAxis } from 'recharts';
import { CHART } from '#components/ui/chart.tsx';
import { useElementWidth } from '#components/ui/use-element-width.ts';
import { isRecord } from '#lib/core/is-record.ts';
import { formatCount, formatScore } from '#lib/format.ts';
import { AXIS_FORMATS, type Axis, type FrontierPoint } from './frontier-points.ts';
import { spreadLabel } from './mean-label.tsx';

type FrontierChartProps = {
  points: readonly FrontierPoint[];
  axis: Axis;
  selected: number | null;
  onSelect: (version: number) => void;
};

const HEIGHT = 256;

/** Chart of score by cost, time or prompt length. The table below provides the same data for screen readers and keyboards. */
export function FrontierChart({ points, axis, selected, onSelect }: FrontierChartProps) {
  const container = useRef<HTMLDivElement>(null);
  const width = useElementWidth(container, 488);
  const [front, others] = [true, false].map((isOnFront) => points.filter((point) => point.isOnFront === isOnFront));
  const choose = (point: ScatterPointItem) => {
    const found = pointOf(point);
    if (found !== undefined) onSelect(found.version);
  };
  const pointOf = ({ payload }: ScatterPointItem) =>
    points.find(({ version }) => isRecord(payload) && payload.version === version);
  const dot = (shape: ScatterShapeProps) => (
    <Dot cx={shape.cx} cy={shape.cy} point={pointOf(shape)} selected={selected} axis={axis} />
  );
  const line = (front ?? []).toSorted((one, other) => one.x - other.x).map(dataOf);
  return (
    <div
      ref={container}
      className="h-64"
      role="img"
      aria-label={`Score by ${NAMES[axis]} of ${points.length} candidates`}
    >
      <ScatterChart
        className={CHART}
        width={width}
        height={HEIGHT}
        margin={{ top: 14, right: 20, bottom: 4, left: 0 }}
        accessibilityLayer={false}
      >
        <XAxis
          type="number"
          dataKey="x"
          domain={['auto', 'auto']}
          tickFormatter={axis === 'promptTokens' ? formatCount : AXIS_FORMATS[axis]}
          tickCount={4}
          stroke="var(--line-strong)"
          tick={{ fill: 'var(--ink-3)' }}
        />
        <YAxis
          type="number"
          dataKey="y"
          domain={[(least: number) => Math.max(0, Math.floor(least * 10 - 1) / 10), 1]}
          tickFormatter={formatScore}
          width={40}
          stroke="var(--line-strong)"
          tick={{ fill: 'var(--ink-3)' }}
        />
        <Scatter data={(others ?? []).map(dataOf)} isAnimationActive={false} onClick={choose} shape={dot}>
          <ErrorBar dataKey="spread" direction="y" width={3} stroke="var(--line-strong)" isAnimationActive={false} />
        </Scatter>
        <Scatter
          data={line}
          line={{ stroke: 'var(--brand)', strokeDasharray: '3 3' }}
          isAnimationActive={false}
          onClick={choose}
          shape={dot}
        >
          <ErrorBar dataKey="spread" direction="y" width={4} stroke="var(--brand)" isAnimationActive={false} />
          {axis === 'promptTokens' ? null : (
            <ErrorBar dataKey="xSpread" direction="x" width={4} stroke="var(--brand)" isAnimationActive={false} />
          )}
        </Scatter>
      </ScatterChart>
    </div>
  );
}

const NAMES: Record<Axis, string> = {
  costUsd: 'cost per 1,000 cases',
  latencyMs: 'time per case',
  promptTokens: 'prompt length',
};

function dataOf({ version, score, x, xLow, xHigh, isOnFront }: FrontierPoint) {
  return {
    ...{ version, x, y: score.mean, isOnFront },
    spread: [score.mean - (score.low ?? score.mean), (score.high ?? score.mean) - score.mean],
    xSpread: [x - (xLow ?? x), (xHigh ?? x) - x],
  };
}

type DotProps = {
  cx: number | undefined;
  cy: number | undefined;
  point: FrontierPoint | undefined;
  selected: number | null;
  axis: Axis;
};

/** Dot of a candidate, filled if it is on the Pareto front. The tooltip shows its values. */
function Dot({ cx, cy, point, selected, axis }: DotProps) {
  if (point === undefined || cx === undefined || cy === undefined) return <g />;
  const { version, score, x, isOnFront } = point;
  return (
    <g className="cursor-pointer" data-version={version}>
      <title>{`v${version}: ${formatScore(score.mean)}, ${spreadLabel(score)}, ${AXIS_FORMATS[axis](x)}`}</title>
      {/* Invisible hit area, larger than the dot to make it easier to click. */}
      <circle cx={cx} cy={cy} r={11} fill="transparent" />
      {version === selected ? <circle className="fill-none stroke-2 stroke-ink" cx={cx} cy={cy} r={7.5} /> : null}
      <circle className={isOnFront ? 'fill-brand' : 'fill-bg stroke-[1.5] stroke-ink-3'} cx={cx} cy={cy} r={4} />
      {isOnFront ? (
        <text className="fill-ink" x={cx + 8} y={cy - 6}>
          v{version}
        </text>
      ) : null}
    </g>
  );
}
