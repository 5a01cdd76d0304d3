'use client';

import { useRef } from 'react';
import { Chart } from '#components/ui/chart.tsx';
import { useElementWidth } from '#components/ui/use-element-width.ts';
import type { PairedVerdict } from '#lib/statistics/paired-verdict.ts';
import { axisTicks } from './axis-ticks.ts';
import { differenceLabel } from './verdict-labels.ts';

type DifferenceIntervalProps = {
  result: PairedVerdict;
  /** What the axis must hold, so that several intervals are drawn alike. */
  span: { low: number; high: number };
};

const TONES = {
  better: { line: 'stroke-better', dot: 'fill-better' },
  worse: { line: 'stroke-worse', dot: 'fill-worse' },
  within_noise: { line: 'stroke-ink-3', dot: 'fill-ink-3' },
  too_few: { line: 'stroke-ink-3', dot: 'fill-ink-3' },
} as const;

/** A mean difference with its 95 % interval on a line through 0. Nothing where there is no difference to draw. */
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
        aria-label={`Mean difference ${differenceLabel(metric, difference)}${low === null || high === null ? '' : `, 95 percent interval ${differenceLabel(metric, low, false)} to ${differenceLabel(metric, high)}`}`}
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
            {differenceLabel(metric, tick, false)}
          </text>
        ))}
      </Chart>
    </div>
  );
}
