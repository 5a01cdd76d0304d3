import { Check, X } from 'lucide-react';
import Link from 'next/link';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { Table } from '#components/ui/table.tsx';
import { formatPercent } from '#lib/format.ts';
import type { CountedShare } from '#lib/measures/counted-share.ts';
import type { ErrorRates } from '#lib/measures/error-rates.ts';
import type { InsightsReport } from '#lib/measures/insights-report.ts';
import { SettleArrow, SettleScale } from './settle-arrow.tsx';
import { TREND_WORDS } from './trend-words.ts';

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
          <Check className="size-3.25" aria-hidden /> {TREND_WORDS[trend].word}
        </span>
      );
    case 'falls':
      return (
        <span className="text-worse">
          <X className="size-3.25" aria-hidden /> {TREND_WORDS[trend].word}
        </span>
      );
    case 'within_noise':
      return <span>{TREND_WORDS[trend].word}</span>;
    case null:
      return <span className="text-ink-3">too little</span>;
  }
}
