import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { styled } from './styled.ts';

/** Text style of charts: `className={CHART}`. */
export const CHART = 'labels:fill-ink-3 labels:text-xs [&_.recharts-surface]:overflow-visible';

/** Line styles for criteria and compared experiments, each with a distinct color and dash pattern. */
export const SERIES = [
  { stroke: 'stroke-s1', fill: 'fill-s1', text: 'text-s1' },
  { stroke: 'stroke-s2 [stroke-dasharray:5_2]', fill: 'fill-s2', text: 'text-s2' },
  { stroke: 'stroke-s3 [stroke-dasharray:1.5_2.5]', fill: 'fill-s3', text: 'text-s3' },
  { stroke: 'stroke-s4 [stroke-dasharray:7_2_1.5_2]', fill: 'fill-s4', text: 'text-s4' },
  { stroke: 'stroke-s5', fill: 'fill-s5', text: 'text-s5' },
] as const;

/** SVG root of a chart drawn without the chart library. */
export const Chart = styled('svg', 'chart', [CHART, 'block h-auto max-w-full overflow-visible font-sans tabular-nums']);

type AxisLinesProps = {
  /** Defaults to ticks for shares. */
  ticks?: readonly number[];
  left: number;
  right: number;
  y: (tick: number) => number;
  labelOf?: (tick: number) => string;
  /** Draws the line at 0 as strongly as an axis. */
  marksZero?: boolean;
};

/** Horizontal grid lines of a chart, each with its value on the left. */
export function AxisLines(props: AxisLinesProps) {
  const { ticks = SHARE_TICKS, left, right, y, labelOf = shareLabel, marksZero = true } = props;
  return ticks.map((tick) => (
    <g key={tick}>
      <line
        className={marksZero && tick === 0 ? 'stroke-line-strong' : 'stroke-line'}
        x1={left}
        x2={right}
        y1={y(tick)}
        y2={y(tick)}
      />
      <text x={left - 6} y={y(tick) + 3.6} textAnchor="end">
        {labelOf(tick)}
      </text>
    </g>
  ));
}

const SHARE_TICKS = [0, 0.25, 0.5, 0.75, 1];

function shareLabel(share: number): string {
  return `${share * 100}%`;
}

/** Container of a chart. Clips a chart that is too wide before it is measured. Announces points reached by arrow keys to screen readers. */
export function ChartFrame({ className, children, ...props }: ComponentProps<'figure'>) {
  return (
    <figure
      data-slot="chart-frame"
      className={classNames('min-w-0 overflow-x-clip', className)}
      onKeyUp={({ key, currentTarget }) => {
        if (key.startsWith('Arrow')) requestAnimationFrame(() => announceTip(currentTarget));
      }}
      {...props}
    >
      {children}
      <p className="sr-only" role="status" data-slot="chart-status" />
    </figure>
  );
}

/** The live region exists from the first render, because not all screen readers announce one inserted together with its text. */
function announceTip(frame: HTMLElement): void {
  const status = frame.querySelector('[data-slot="chart-status"]');
  const tip = frame.querySelector<HTMLElement>('[data-slot="chart-tip"]');
  if (status !== null) status.textContent = tip?.innerText.replaceAll(/\s*\n\s*/g, ', ').replaceAll(/\t+/g, ' ') ?? '';
}

/** Tooltip of a data point. */
export const ChartTip = styled('div', 'chart-tip', [
  'w-max max-w-full rounded-3 border border-line-strong bg-surface px-2.5 py-2 text-sm shadow-pop',
  'td:py-px [&_td+td]:pl-4 [&_td+td]:text-right',
]);

/** Legend of the marks in a chart. */
export const ChartLegend = styled('p', 'chart-key', 'flex flex-wrap gap-x-4 gap-y-0.5 text-ink-2 text-sm');
