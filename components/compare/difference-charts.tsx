'use client';

import { useId, useRef } from 'react';
import { AxisLines, Chart } from '#components/ui/chart.tsx';
import { useElementWidth } from '#components/ui/use-element-width.ts';
import type { PairedVerdict } from '#lib/statistics/paired-verdict.ts';
import { differenceLabel, intervalLabel } from './labels.ts';

type DifferenceBarsProps = {
  metric: PairedVerdict['metric'];
  /** One difference per case, sorted. */
  differences: readonly number[];
  /** Accessible description of the chart. */
  label: string;
};

const HEIGHT = 120;
const TOP = 10;
const BOTTOM = 88;
const LEFT = 38;

/**
 * Bar chart of the difference of each case from the baseline, from worst to best. Worse is hatched, better is solid, and no difference is a
 * dot.
 */
export function DifferenceBars({ metric, differences, label }: DifferenceBarsProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useElementWidth(frame, 362);
  const hatch = useId();
  const right = width - 8;
  const ticks = axisTicks(differences.at(0) ?? 0, differences.at(-1) ?? 0);
  const [low = 0, high = 1] = [ticks.at(0), ticks.at(-1)];
  const y = (value: number) => TOP + ((high - value) / (high - low)) * (BOTTOM - TOP);
  const slot = (right - LEFT) / Math.max(differences.length, 1);
  const barWidth = Math.max(0.75, Math.min(slot * 0.6, 16));
  const center = (index: number) => LEFT + (index + 0.5) * slot;
  const bars = (isShown: (by: number) => boolean) =>
    differences
      .map((by, index) =>
        isShown(by) ? barPath(center(index), barWidth, Math.min(y(by), y(0)), Math.abs(y(by) - y(0))) : '',
      )
      .join('');
  const dotRadius = Math.min(1.8, Math.max(0.6, slot / 3));
  const dots = differences.map((by, index) => (by === 0 ? dotPath(center(index), y(0), dotRadius) : '')).join('');
  return (
    <div ref={frame}>
      <Chart width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={label}>
        <defs>
          <pattern id={hatch} width={4} height={4} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <line x1={0} y1={0} x2={0} y2={4} className="stroke-worse" strokeWidth={2} />
          </pattern>
        </defs>
        <AxisLines
          ticks={ticks}
          left={LEFT}
          right={right}
          y={y}
          labelOf={(tick) => differenceLabel(metric, tick, { hasUnit: false })}
        />
        <path className="fill-better" d={bars((by) => by > 0)} />
        <path
          className="stroke-worse"
          fill={`url(#${hatch})`}
          strokeWidth={Math.min(1, barWidth / 3)}
          d={bars((by) => by < 0)}
        />
        <path className="fill-ink-3" d={dots} />
        <text className="fill-ink-2" x={LEFT} y={HEIGHT - 4}>
          worse
        </text>
        <text className="fill-ink-2" x={right} y={HEIGHT - 4} textAnchor="end">
          better
        </text>
      </Chart>
    </div>
  );
}

// All bars of a kind share one path, so a chart of hundreds of cases needs only a few elements.
function barPath(x: number, width: number, top: number, height: number): string {
  return `M${roundToHundredths(x - width / 2)} ${roundToHundredths(top)}h${roundToHundredths(width)}v${roundToHundredths(height)}h${roundToHundredths(-width)}z`;
}

function dotPath(x: number, y: number, radius: number): string {
  const r = roundToHundredths(radius);
  return `M${roundToHundredths(x - radius)} ${roundToHundredths(y)}a${r} ${r} 0 1 0 ${roundToHundredths(2 * radius)} 0a${r} ${r} 0 1 0 ${roundToHundredths(-2 * radius)} 0`;
}

function roundToHundredths(value: number): number {
  return Math.round(value * 100) / 100;
}

type DifferenceIntervalProps = {
  result: PairedVerdict;
  /** Range the axis must cover, so that several intervals share one scale. */
  span: { low: number; high: number };
};

const TONES = {
  better: { line: 'stroke-better', dot: 'fill-better' },
  worse: { line: 'stroke-worse', dot: 'fill-worse' },
  within_noise: { line: 'stroke-ink-3', dot: 'fill-ink-3' },
  too_few: { line: 'stroke-ink-3', dot: 'fill-ink-3' },
} as const;

/** Draws a mean difference with its 95% interval on an axis through 0. Renders nothing if there is no difference. */
export function DifferenceInterval({ result, span }: DifferenceIntervalProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = Math.min(useElementWidth(frame, 330), 362);
  const { metric, difference, low, high, verdict } = result;
  if (difference === null) return null;
  const ticks = axisTicks(span.low, span.high);
  const [from = -1, to = 1] = [ticks.at(0), ticks.at(-1)];
  const x = (value: number) => 16 + ((value - from) / (to - from)) * (width - 36);
  const { line, dot } = TONES[verdict];
  return (
    <div ref={frame}>
      <Chart
        width={width}
        height={44}
        viewBox={`0 0 ${width} 44`}
        role="img"
        aria-label={`Mean difference ${differenceLabel(metric, difference, { bounds: result })}${intervalLabel(result).replace('95%', '95 percent interval')}`}
      >
        <line className="stroke-line" x1={x(from)} x2={x(to)} y1={16} y2={16} />
        <line className="stroke-ink-2" x1={x(0)} x2={x(0)} y1={5} y2={27} />
        {low === null || high === null ? null : (
          <g className={line} strokeWidth={2}>
            <line x1={x(low)} x2={x(high)} y1={16} y2={16} />
            <line x1={x(low)} x2={x(low)} y1={12} y2={20} />
            <line x1={x(high)} x2={x(high)} y1={12} y2={20} />
          </g>
        )}
        <circle className={dot} cx={x(difference)} cy={16} r={4} />
        {ticks.map((tick) => (
          <text key={tick} x={x(tick)} y={40} textAnchor="middle">
            {differenceLabel(metric, tick, { hasUnit: false })}
          </text>
        ))}
      </Chart>
    </div>
  );
}

const MAX_STEPS = 4;
const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];

/** Returns round tick values for an axis that covers `low`, `high` and 0, with at most `MAX_STEPS` steps. */
export function axisTicks(low: number, high: number): number[] {
  const [from, to] = [Math.min(0, low), Math.max(0, high)];
  const step =
    STEPS.find((size) => Math.ceil(to / size - TINY) - Math.floor(from / size + TINY) <= MAX_STEPS) ??
    STEPS.at(-1) ??
    1;
  const first = Math.floor(from / step + TINY);
  const last = Math.max(first + 1, Math.ceil(to / step - TINY));
  return Array.from({ length: last - first + 1 }, (_, index) => Math.round((first + index) * step * 1e6) / 1e6);
}

/** Tolerance for rounding errors. A value on a tick must not add another tick. */
const TINY = 1e-9;
