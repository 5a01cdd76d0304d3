import { Chart } from '#components/ui/chart.tsx';
import type { TargetReading } from '#lib/measures/read-target.ts';

export const TARGET_BAR_WIDTH = 200;
const EDGE = 4;

/** Where a share stands on a line that begins at `from` and ends at 1. */
function placeOf(share: number, from: number): number {
  return EDGE + ((Math.max(share, from) - from) / (1 - from)) * (TARGET_BAR_WIDTH - 2 * EDGE);
}

/** What the lines of the targets span, above them: from a half, or from 0 where an interval reaches below. */
export function TargetScale({ from }: { from: number }) {
  return (
    <Chart
      className="max-w-none"
      width={TARGET_BAR_WIDTH}
      height={14}
      viewBox={`0 0 ${TARGET_BAR_WIDTH} 14`}
      aria-hidden
    >
      <text x={EDGE} y={11}>
        {Math.round(from * 100)} %
      </text>
      <text x={TARGET_BAR_WIDTH / 2} y={11} textAnchor="middle">
        {Math.round(((1 + from) / 2) * 100)}
      </text>
      <text x={TARGET_BAR_WIDTH - EDGE} y={11} textAnchor="end">
        100 %
      </text>
    </Chart>
  );
}

/** A share with its interval, against its target: the tick, and what lies beyond it. Bare of words: the numbers stand beside it. */
export function TargetBar({
  interval,
  aim,
  verdict,
  from,
}: Pick<TargetReading, 'interval' | 'aim' | 'verdict'> & { from: number }) {
  const at = (share: number) => placeOf(share, from);
  const isMissed = verdict === 'missed' && aim < 1;
  return (
    <Chart
      className="inline-block max-w-none align-middle"
      width={TARGET_BAR_WIDTH}
      height={22}
      viewBox={`0 0 ${TARGET_BAR_WIDTH} 22`}
      aria-hidden
    >
      <rect className="fill-better-bg opacity-55" x={at(aim)} y={3} width={at(1) - at(aim)} height={16} />
      <line className="stroke-line" x1={at(from)} x2={at(1)} y1={11} y2={11} />
      {interval === null ? null : (
        <>
          <line
            className={isMissed ? 'stroke-2 stroke-worse' : 'stroke-2 stroke-ink-2'}
            x1={at(interval.low)}
            x2={at(interval.high)}
            y1={11}
            y2={11}
          />
          <circle className={isMissed ? 'fill-worse' : 'fill-ink'} cx={at(interval.share)} cy={11} r={3.6} />
        </>
      )}
      <path className="stroke-[1.5] stroke-ink" d={`M${at(aim)} 2V20`} />
    </Chart>
  );
}
