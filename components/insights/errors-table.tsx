import { Check, X } from 'lucide-react';
import Link from 'next/link';
import { ScrollX } from '#components/ui/scroll-x.tsx';
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
      <table className="t hover edge">
        <thead>
          <tr>
            <th scope="col">Experiment</th>
            <th scope="col" className="num opt">
              Corrected
            </th>
            <th scope="col" className="num opt">
              Introduced
            </th>
            <th scope="col" className="opt">
              <span className="vh">From now to where it settles</span>
              <SettleScale from={from} />
            </th>
            <th scope="col" className="num">
              Now
            </th>
            <th scope="col" className="num">
              Settles
            </th>
            <th scope="col">
              <span className="vh">So it</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ experimentId, name, corrected, introduced, now, settles, trend }) => (
            <tr key={experimentId}>
              <td className="md5 min-w-28 wrap-anywhere">
                <Link href={`/experiments/${experimentId}`}>{name}</Link>
              </td>
              <td className="num opt">
                <Share of={corrected} />
              </td>
              <td className="num opt">
                <Share of={introduced} />
              </td>
              <td className="opt">
                {now === null || settles === null ? null : (
                  <SettleArrow now={now} settles={settles.share} trend={trend} from={from} />
                )}
              </td>
              <td className="num">{now === null ? '–' : formatPercent(now)}</td>
              <td className="num b">{settles === null ? '–' : formatPercent(settles.share)}</td>
              <td className="sm nw">
                <Trend trend={trend} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  );
}

function Share({ of: { met, of, interval } }: { of: CountedShare }) {
  return (
    <>
      {interval === null ? '–' : formatPercent(interval.share)}{' '}
      <span className="faint sm">
        {met}/{of}
      </span>
    </>
  );
}

function Trend({ trend }: Pick<ErrorRates, 'trend'>) {
  switch (trend) {
    case 'rises':
      return (
        <span className="better">
          <Check className="i s" aria-hidden /> {TREND_WORDS[trend].word}
        </span>
      );
    case 'falls':
      return (
        <span className="worse">
          <X className="i s" aria-hidden /> {TREND_WORDS[trend].word}
        </span>
      );
    case 'within_noise':
      return <span>{TREND_WORDS[trend].word}</span>;
    case null:
      return <span className="faint">too little</span>;
  }
}
