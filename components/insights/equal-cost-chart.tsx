'use client';

import { useRef } from 'react';
import { AxisLines, Chart, ChartFrame } from '#components/ui/chart.tsx';
import { useElementWidth } from '#components/ui/use-element-width.ts';
import { formatPercent } from '#lib/format.ts';
import type { EqualCostPanel } from '#lib/insights/schema.ts';
import { formatSpend } from './labels.ts';

const [TOP, FLOOR, LEFT] = [16, 250, 38];
const HEIGHT = 290;
/** Width for the labels at the line ends, in pixels. */
const END_LABEL_WIDTH = 104;
/** Minimum distance between the labels at the line ends, in pixels. */
const MIN_LABEL_DISTANCE = 30;
/** Minimum distance between numbers on the axis, in pixels. */
const MIN_TICK_DISTANCE = 46;

/** Chart of solved cases by spending per case: reflection with its interval, and independent drafts. */
export function EqualCostChart({ panel }: { panel: EqualCostPanel }) {
  const { levels, cases, unit } = panel;
  const frame = useRef<HTMLElement>(null);
  const width = Math.min(useElementWidth(frame, 540), 640);
  const last = levels.at(-1);
  if (last === undefined) return <p className="text-ink-2">No spend yet.</p>;
  const right = width - END_LABEL_WIDTH;
  const first = levels[0]?.spend ?? 0;
  const x = (spend: number) =>
    last.spend === first
      ? (LEFT + right) / 2
      : LEFT + 10 + ((spend - first) / (last.spend - first)) * (right - LEFT - 10);
  const y = (share: number) => FLOOR - share * (FLOOR - TOP);
  const line = (side: 'reflection' | 'fresh') =>
    levels.map((level) => `${x(level.spend)},${y(level[side] / cases)}`).join(' ');
  const band = [
    ...levels.map(({ spend, reflectionShare }) => `${x(spend)},${y(reflectionShare.high)}`),
    ...levels.toReversed().map(({ spend, reflectionShare }) => `${x(spend)},${y(reflectionShare.low)}`),
  ].join(' ');
  const [up, down] = separateLabels(y(last.reflection / cases), y(last.fresh / cases));
  const shown = levels.filter(
    (level, index) =>
      index === levels.length - 1 || (x(last.spend) - x(level.spend) >= MIN_TICK_DISTANCE && isFree(levels, index, x)),
  );
  return (
    <ChartFrame
      ref={frame}
      aria-label={`Solved of ${cases} cases at the same spend per case. Reflection ${levels.map(({ reflection }) => reflection).join(', ')}. New drafts without reflection ${levels.map(({ fresh }) => fresh).join(', ')}.`}
    >
      <Chart width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden>
        <AxisLines left={LEFT} right={right} y={y} />
        <polygon className="fill-brand opacity-13" points={band} />
        <polyline className="fill-none stroke-[1.5] stroke-ink-3 [stroke-dasharray:2_3]" points={line('fresh')} />
        <polyline
          className="fill-none stroke-[2.5] stroke-brand [stroke-linecap:round] [stroke-linejoin:round]"
          points={line('reflection')}
        />
        {levels.map(({ spend, reflection, fresh }) => (
          <g key={spend}>
            <circle className="fill-surface stroke-[1.5] stroke-ink-3" cx={x(spend)} cy={y(fresh / cases)} r={2.8} />
            <circle className="fill-surface stroke-2 stroke-brand" cx={x(spend)} cy={y(reflection / cases)} r={3.4} />
          </g>
        ))}
        {shown.map(({ spend, reflection, fresh }) => (
          <g key={spend}>
            <text
              className="halo fill-ink font-semibold"
              x={x(spend)}
              y={y(Math.max(reflection, fresh) / cases) - 8}
              textAnchor="middle"
            >
              {Math.max(reflection, fresh)}
            </text>
            {reflection === fresh ? null : (
              <text
                className="halo fill-ink-2"
                x={x(spend)}
                y={lowLabel(y(Math.min(reflection, fresh) / cases))}
                textAnchor="middle"
              >
                {Math.min(reflection, fresh)}
              </text>
            )}
            <text x={x(spend)} y={FLOOR + 15} textAnchor="middle">
              {formatSpend(spend, unit).replace(' tokens', '')}
            </text>
          </g>
        ))}
        <text x={(LEFT + right) / 2} y={FLOOR + 32} textAnchor="middle">
          {unit === 'usd' ? 'Maximum spend per case' : 'Maximum tokens per case'}
        </text>
        <EndText
          className="fill-brand font-semibold"
          x={right + 9}
          y={up}
          name="Reflection"
          share={last.reflectionShare}
        />
        <EndText className="fill-ink-2" x={right + 9} y={down} name="Drafts anew" share={last.freshShare} />
      </Chart>
    </ChartFrame>
  );
}

type EndTextProps = {
  className: string;
  x: number;
  y: number;
  name: string;
  share: { low: number; share: number; high: number };
};

function EndText({ className, x, y, name, share }: EndTextProps) {
  return (
    <>
      <text className={className} x={x} y={y + 3.6}>
        {name} {formatPercent(share.share)}
      </text>
      <text x={x} y={y + 17}>
        {Math.round(share.low * 100)} to {Math.round(share.high * 100)}%
      </text>
    </>
  );
}

/** Returns the label position below a point, or above it if the point is close to the axis labels. */
function lowLabel(y: number): number {
  return y + 18 > FLOOR ? y - 8 : y + 15;
}

/** Returns two label heights with enough distance between them and above the axis labels. */
function separateLabels(one: number, other: number): [number, number] {
  const lowest = FLOOR - 14;
  const upper = Math.min(one, other, lowest - MIN_LABEL_DISTANCE);
  const lower = Math.min(Math.max(one, other, upper + MIN_LABEL_DISTANCE), lowest);
  return one <= other ? [upper, lower] : [lower, upper];
}

/** True if a level is far enough from the previous one for its own label. */
function isFree(levels: EqualCostPanel['levels'], index: number, x: (spend: number) => number): boolean {
  const [level, before] = [levels[index], levels[index - 1]];
  return level !== undefined && (before === undefined || x(level.spend) - x(before.spend) >= MIN_TICK_DISTANCE);
}
