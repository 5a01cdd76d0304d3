import { Chart } from '#components/ui/chart.tsx';
import { classNames } from '#components/ui/class-names.ts';
import type { ErrorRates } from '#lib/measures/error-rates.ts';

const WIDTH = 150;
const EDGE = 4;

/** What the arrows span, above them. */
export function SettleScale({ from }: { from: number }) {
  return (
    <Chart className="max-w-none" width={WIDTH} height={14} viewBox={`0 0 ${WIDTH} 14`} aria-hidden>
      <text x={EDGE} y={11}>
        {Math.round(from * 100)} %
      </text>
      <text x={WIDTH - EDGE} y={11} textAnchor="end">
        100 %
      </text>
    </Chart>
  );
}

const TREND_LOOKS = {
  within_noise: { line: 'stroke-ink-2 stroke-2', head: 'fill-ink-2' },
  rises: { line: 'stroke-better stroke-2', head: 'fill-better' },
  falls: { line: 'stroke-worse stroke-2', head: 'fill-worse' },
};

type SettleArrowProps = { now: number; settles: number; trend: ErrorRates['trend']; from: number };

/** From the share that passes now to the one that revising on and on settles at. Bare of words: the numbers stand beside it. */
export function SettleArrow({ now, settles, trend, from }: SettleArrowProps) {
  const at = (share: number) => EDGE + ((share - from) / (1 - from)) * (WIDTH - 2 * EDGE);
  const { line, head } = TREND_LOOKS[trend ?? 'within_noise'];
  const forward = settles >= now ? 5 : -5;
  return (
    <Chart
      className="inline-block max-w-none align-middle"
      width={WIDTH}
      height={18}
      viewBox={`0 0 ${WIDTH} 18`}
      aria-hidden
    >
      <line className="stroke-line" x1={EDGE} x2={WIDTH - EDGE} y1={9} y2={9} />
      <line className={line} x1={at(now)} x2={at(settles)} y1={9} y2={9} />
      <circle className={classNames(line, 'fill-surface stroke-[1.75]')} cx={at(now)} cy={9} r={3.4} />
      <path className={head} d={`M${at(settles)} 3.5 l${forward} 5.5 l${-forward} 5.5 z`} />
    </Chart>
  );
}
