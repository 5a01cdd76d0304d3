'use client';

import { useRef } from 'react';
import { AxisLines, Chart, ChartFrame } from '#components/ui/chart.tsx';
import { RowHead } from '#components/ui/table.tsx';
import { useElementWidth } from '#components/ui/use-element-width.ts';
import { formatPercent } from '#lib/format.ts';
import type { Calibration } from '#lib/statistics/calibration.ts';

const HEIGHT = 300;
const [TOP, FLOOR] = [14, 234];
const LEFT = 38;
/** Height of the tallest bar, in pixels. */
const BAR = 16;

type ReliabilityChartProps = {
  found: Pick<Calibration, 'bins' | 'n'>;
  truth: 'people' | 'checks';
  threshold: number | null;
};

/** Chart of the share of good versions by judge score, with intervals and the number of versions per bin. */
export function ReliabilityChart({ found: { bins, n }, truth, threshold }: ReliabilityChartProps) {
  const frame = useRef<HTMLElement>(null);
  const width = Math.min(useElementWidth(frame, 392), 480);
  const verb = truth === 'people' ? 'called good by people' : 'passed by checks';
  const from = Math.min(0.5, Math.floor(Math.min(...bins.map((bin) => bin.from)) * 10) / 10);
  const right = width - 10;
  const x = (score: number) => LEFT + ((score - from) / (1 - from)) * (right - LEFT);
  const y = (share: number) => FLOOR - share * (FLOOR - TOP);
  const most = Math.max(...bins.map(({ of }) => of));
  const points = bins.map((bin) => ({ ...bin, at: x((bin.from + bin.to) / 2), share: bin.interval?.share ?? 0 }));
  const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1].filter(
    (tick) => tick >= from && (threshold === null || Math.abs(tick - threshold) > 0.06),
  );
  const summary = bins
    .map((bin) => `${bin.from.toFixed(1)} to ${bin.to.toFixed(1)}: ${bin.met} of ${bin.of}`)
    .join('; ');
  return (
    <ChartFrame
      ref={frame}
      aria-label={`Reliability of the judge for ${n} versions. By judge score, ${verb}: ${summary}.`}
    >
      <Chart width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden>
        <AxisLines left={LEFT} right={right} y={y} marksZero={false} />
        {ticks.map((tick) => (
          <text key={tick} x={x(tick)} y={FLOOR + 15} textAnchor="middle">
            {tick.toFixed(1)}
          </text>
        ))}
        {threshold === null || threshold < from ? null : (
          <>
            <rect
              className="fill-better-bg opacity-55"
              x={x(threshold)}
              y={TOP}
              width={right - x(threshold)}
              height={FLOOR - TOP}
            />
            <line
              className="stroke-ink-2 [stroke-dasharray:4_3]"
              x1={x(threshold)}
              x2={x(threshold)}
              y1={TOP}
              y2={FLOOR}
            />
            <text className="fill-ink fill-ink-2 font-semibold" x={x(threshold)} y={FLOOR + 15} textAnchor="middle">
              {threshold}
            </text>
            <text className="halo fill-ink-2" x={x(threshold) - 5} y={TOP + 11} textAnchor="end">
              threshold
            </text>
          </>
        )}
        <line
          className="fill-none stroke-[1.5] stroke-ink-3 [stroke-dasharray:2_3]"
          x1={x(from)}
          y1={y(from)}
          x2={x(1)}
          y2={y(1)}
        />
        <text className="halo" x={x(from) + 24} y={y(from) - 16}>
          calibrated
        </text>
        {points.map(({ at, interval, from: step }) =>
          interval === null ? null : (
            <line
              key={step}
              className="stroke-[1.5] stroke-brand opacity-55"
              x1={at}
              x2={at}
              y1={y(interval.low)}
              y2={y(interval.high)}
            />
          ),
        )}
        <polyline
          className="fill-none stroke-[2.5] stroke-brand [stroke-linecap:round] [stroke-linejoin:round]"
          points={points.map(({ at, share }) => `${at},${y(share)}`).join(' ')}
        />
        {points.map(({ at, share, of, from: step }) => (
          <g key={step}>
            <circle className="fill-surface stroke-2 stroke-brand" cx={at} cy={y(share)} r={3.4} />
            <rect
              className="fill-ink-3 opacity-55"
              x={at - 9}
              y={274 - (of / most) * BAR}
              width={18}
              height={(of / most) * BAR}
            />
            <text x={at} y={286} textAnchor="middle">
              {of}
            </text>
          </g>
        ))}
        <text x={LEFT - 6} y={286} textAnchor="end">
          n
        </text>
        <line className="stroke-line-strong" x1={LEFT} x2={right} y1={FLOOR} y2={FLOOR} />
      </Chart>
      <figcaption className="mt-1 text-ink-3 text-sm">
        Horizontal: the judge’s score. Vertical: the share {verb}. Whiskers: 95%. Bars: versions in each step.
        <table className="sr-only">
          <caption>By the judge’s score: share {verb}</caption>
          <tbody>
            {bins.map((bin) => (
              <tr key={bin.from}>
                <RowHead>
                  {bin.from.toFixed(1)} to {bin.to.toFixed(1)}
                </RowHead>
                <td>
                  {bin.met} of {bin.of}, {formatPercent(bin.interval?.share ?? 0)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </figcaption>
    </ChartFrame>
  );
}
