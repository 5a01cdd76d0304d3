'use client';

import { useRef } from 'react';
import { Chart } from '#components/ui/chart.tsx';
import { useElementWidth } from '#components/ui/use-element-width.ts';
import { pathsWithGaps, type TrendValue } from './trend-points.ts';

type TrendChartProps = {
  /** Oldest first; a value of null is a gap. */
  values: readonly TrendValue[];
  /** The highest value of the axis, and what it and the lowest, 0, are called. */
  top: number;
  format: (value: number) => string;
  /** The chart in words. */
  label: string;
};

const HEIGHT = 150;
const TOP = 16;
const BOTTOM = 118;

/** Values over time as dots with their 95% intervals, joined where no gap lies between them; n stands under each. */
export function TrendChart({ values, top, format, label }: TrendChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useElementWidth(frame, 380);
  const ticks = [0, top / 2, top];
  const left = 8 + 6.4 * Math.max(...ticks.map((tick) => format(tick).length));
  const right = width - 14;
  const slot = (right - left) / Math.max(values.length, 1);
  const x = (place: number) => left + (place + 0.5) * slot;
  const y = (value: number) => BOTTOM - (Math.min(value, top) / top) * (BOTTOM - TOP);
  const every = Math.ceil(46 / slot);
  const isNamed = (place: number) => (values.length - 1 - place) % every === 0;
  return (
    <div ref={frame} className="min-w-0">
      <Chart width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={label}>
        {ticks.map((tick) => (
          <g key={tick}>
            <line
              className={tick === 0 ? 'stroke-line-strong' : 'stroke-line'}
              x1={left}
              x2={right}
              y1={y(tick)}
              y2={y(tick)}
            />
            <text x={left - 6} y={y(tick) + 3.6} textAnchor="end">
              {format(tick)}
            </text>
          </g>
        ))}
        {pathsWithGaps(values).map((part) => (
          <polyline
            key={part[0]}
            className="fill-none stroke-2 stroke-brand"
            points={part.map((place) => `${x(place)},${y(values[place]?.value ?? 0)}`).join(' ')}
          />
        ))}
        {values.map(({ name, short, n, value, low, high }, place) => (
          <g key={name}>
            {value === null ? null : (
              <>
                {low === null || high === null ? null : (
                  <line
                    className="stroke-[1.5] stroke-brand opacity-60"
                    x1={x(place)}
                    x2={x(place)}
                    y1={y(low)}
                    y2={y(high)}
                  />
                )}
                <circle className="fill-surface stroke-2 stroke-brand" cx={x(place)} cy={y(value)} r={3.2} />
              </>
            )}
            {isNamed(place) ? (
              <>
                <text x={x(place)} y={BOTTOM + 14} textAnchor="middle">
                  {short}
                </text>
                <text x={x(place)} y={BOTTOM + 27} textAnchor="middle">
                  {value === null ? '–' : n}
                </text>
              </>
            ) : null}
          </g>
        ))}
        <text x={left - 6} y={BOTTOM + 27} textAnchor="end">
          n
        </text>
      </Chart>
    </div>
  );
}
