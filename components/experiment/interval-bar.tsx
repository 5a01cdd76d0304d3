import { Chart } from '#components/ui/chart.tsx';
import type { Interval } from '#lib/statistics/intervals.ts';

/** Stands over a column of interval bars: what their line spans. */
export function IntervalScale() {
  return (
    <Chart width={90} height={12} viewBox="0 0 90 12" aria-hidden className="block">
      <text x={4} y={10}>
        0
      </text>
      <text x={88} y={10} textAnchor="end">
        100 %
      </text>
    </Chart>
  );
}

/** A share with its interval on a line from 0 to 100 %. Bare of words: the numbers stand beside it. */
export function IntervalBar({ interval }: { interval: Interval }) {
  const x = (share: number) => 4 + share * 82;
  return (
    <svg width={90} height={14} viewBox="0 0 90 14" aria-hidden>
      <line className="stroke-line-strong" x1={4} x2={86} y1={7} y2={7} />
      <line className="stroke-[1.5] stroke-ink" x1={x(interval.low)} x2={x(interval.high)} y1={7} y2={7} />
      <circle className="fill-ink" cx={x(interval.share)} cy={7} r={3} />
    </svg>
  );
}
