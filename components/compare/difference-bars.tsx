'use client';

import { useId, useRef } from 'react';
import { Chart } from '#components/ui/chart.tsx';
import { useElementWidth } from '#components/ui/use-element-width.ts';
import type { PairedVerdict } from '#lib/statistics/paired-verdict.ts';
import { axisTicks } from './axis-ticks.ts';
import { differenceLabel } from './verdict-labels.ts';

type DifferenceBarsProps = {
  metric: PairedVerdict['metric'];
  /** Sorted, one of each case. */
  differences: readonly number[];
  /** What it shows, in words. */
  label: string;
};

const HEIGHT = 120;
const TOP = 10;
const BOTTOM = 88;
const LEFT = 38;

/** The difference of each case to the baseline, sorted from the worst to the best: worse hatched, better full, no difference a dot. */
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
  const center = (place: number) => LEFT + (place + 0.5) * slot;
  const bars = (isShown: (by: number) => boolean) =>
    differences
      .map((by, place) =>
        isShown(by) ? barPath(center(place), barWidth, Math.min(y(by), y(0)), Math.abs(y(by) - y(0))) : '',
      )
      .join('');
  const dotRadius = Math.min(1.8, Math.max(0.6, slot / 3));
  const dots = differences.map((by, place) => (by === 0 ? dotPath(center(place), y(0), dotRadius) : '')).join('');
  return (
    <div ref={frame}>
      <Chart width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={label}>
        <defs>
          <pattern id={hatch} width={4} height={4} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <line x1={0} y1={0} x2={0} y2={4} className="stroke-worse" strokeWidth={2} />
          </pattern>
        </defs>
        {ticks.map((tick) => (
          <g key={tick}>
            <line
              className={tick === 0 ? 'stroke-line-strong' : 'stroke-line'}
              x1={LEFT}
              x2={right}
              y1={y(tick)}
              y2={y(tick)}
            />
            <text x={LEFT - 6} y={y(tick) + 3.6} textAnchor="end">
              {differenceLabel(metric, tick, false)}
            </text>
          </g>
        ))}
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

// All bars of a kind are one path: a chart of hundreds of cases stays a handful of elements.
function barPath(x: number, width: number, top: number, height: number): string {
  return `M${short(x - width / 2)} ${short(top)}h${short(width)}v${short(height)}h${short(-width)}z`;
}

function dotPath(x: number, y: number, radius: number): string {
  const r = short(radius);
  return `M${short(x - radius)} ${short(y)}a${r} ${r} 0 1 0 ${short(2 * radius)} 0a${r} ${r} 0 1 0 ${short(-2 * radius)} 0`;
}

function short(value: number): number {
  return Math.round(value * 100) / 100;
}
