import { Check, X } from 'lucide-react';
import Link from 'next/link';
import { Chart } from '#components/ui/chart.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { Table } from '#components/ui/table.tsx';
import { formatPercent } from '#lib/format.ts';
import type { InsightsReport } from '#lib/insights/schema.ts';
import type { ErrorRates } from '#lib/statistics/error-rates.ts';
import type { CountedShare } from '#lib/statistics/shares.ts';
import { TREND_LABELS } from './trend-labels.ts';

/** The error rates of each experiment, from where it is now to where it settles. */
export function ErrorsTable({ rows }: { rows: InsightsReport['errorsOf'] }) {
  const lowest = Math.min(...rows.map(({ now, settles }) => Math.min(now ?? 1, settles?.share ?? 1)));
  const from = Math.min(0.8, Math.floor(lowest * 5) / 5);
  return (
    <ScrollX label="Errors by experiment">
      <Table isInset hasHover>
        <thead>
          <tr>
            <th scope="col">Experiment</th>
            <th scope="col" className="whitespace-nowrap text-right max-narrow:hidden">
              Corrected
            </th>
            <th scope="col" className="whitespace-nowrap text-right max-narrow:hidden">
              Introduced
            </th>
            <th scope="col" className="max-narrow:hidden">
              <span className="sr-only">From now to where it settles</span>
              <SettleScale from={from} />
            </th>
            <th scope="col" className="whitespace-nowrap text-right">
              Now
            </th>
            <th scope="col" className="whitespace-nowrap text-right">
              Settles
            </th>
            <th scope="col">
              <span className="sr-only">So it</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ experimentId, name, corrected, introduced, now, settles, trend }) => (
            <tr key={experimentId}>
              <td className="wrap-anywhere min-w-28 font-medium">
                <Link href={`/experiments/${experimentId}`}>{name}</Link>
              </td>
              <td className="whitespace-nowrap text-right max-narrow:hidden">
                <Share of={corrected} />
              </td>
              <td className="whitespace-nowrap text-right max-narrow:hidden">
                <Share of={introduced} />
              </td>
              <td className="max-narrow:hidden">
                {now === null || settles === null ? null : (
                  <SettleArrow now={now} settles={settles.share} trend={trend} from={from} />
                )}
              </td>
              <td className="whitespace-nowrap text-right">{now === null ? '–' : formatPercent(now)}</td>
              <td className="whitespace-nowrap text-right font-semibold">
                {settles === null ? '–' : formatPercent(settles.share)}
              </td>
              <td className="whitespace-nowrap text-sm">
                <Trend trend={trend} />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </ScrollX>
  );
}

function Share({ of: { met, of, interval } }: { of: CountedShare }) {
  return (
    <>
      {interval === null ? '–' : formatPercent(interval.share)}{' '}
      <span className="text-ink-3 text-sm">
        {met}/{of}
      </span>
    </>
  );
}

function Trend({ trend }: Pick<ErrorRates, 'trend'>) {
  switch (trend) {
    case 'rises':
      return (
        <span className="text-better">
          <Check className="size-3.25" aria-hidden /> {TREND_LABELS[trend].word}
        </span>
      );
    case 'falls':
      return (
        <span className="text-worse">
          <X className="size-3.25" aria-hidden /> {TREND_LABELS[trend].word}
        </span>
      );
    case 'within_noise':
      return <span>{TREND_LABELS[trend].word}</span>;
    case null:
      return <span className="text-ink-3">too little</span>;
  }
}

const WIDTH = 150;
const EDGE = 4;

/** What the arrows span, above them. */
function SettleScale({ from }: { from: number }) {
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
function SettleArrow({ now, settles, trend, from }: SettleArrowProps) {
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
