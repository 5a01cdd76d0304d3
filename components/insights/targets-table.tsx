import { Check, X } from 'lucide-react';
import Link from 'next/link';
import { formatBounds } from '#components/experiment/success-cell.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { formatPercent } from '#lib/format.ts';
import type { InsightsReport } from '#lib/measures/insights-report.ts';
import type { TargetReading } from '#lib/measures/read-target.ts';
import { type InsightsView, runsBehind } from './insights-view.ts';
import { TargetBar, TargetScale } from './target-bar.tsx';
import { readingBehind, targetBecause, targetCount, targetWords } from './target-words.ts';

type TargetsTableProps = { report: InsightsReport; view: InsightsView };

/** The scorecard: five targets, each with its share and interval against what is asked for, in words, and the runs behind it. */
export function TargetsTable({ report, view }: TargetsTableProps) {
  const from = report.targets.some(({ interval }) => interval !== null && interval.low < 0.5) ? 0 : 0.5;
  return (
    <ScrollX label="The five targets">
      <table className="t hover edge" data-testid="targets">
        <thead>
          <tr>
            <th scope="col">Target</th>
            <th scope="col" className="opt">
              <span className="vh">Interval against the target</span>
              <TargetScale from={from} />
            </th>
            <th scope="col" className="num">
              Now
            </th>
            <th scope="col" className="num">
              Target
            </th>
            <th scope="col" className="rp">
              Reads as
            </th>
            <th scope="col" className="num opt">
              Behind it
            </th>
          </tr>
        </thead>
        <tbody>
          {report.targets.map((reading) => {
            const words = targetWords(reading.target, report);
            const behind = runsBehind(view, readingBehind(reading));
            return (
              <tr key={reading.target} data-target={reading.target} data-verdict={reading.verdict}>
                <td>
                  <Link href={behind} className="md5">
                    {words.title}
                  </Link>
                  <br />
                  <span className="sm faint">{words.of}</span>
                </td>
                <td className="opt">
                  <TargetBar {...reading} from={from} />
                </td>
                <td className="num nw">
                  {reading.interval === null ? (
                    <span className="faint">–</span>
                  ) : (
                    <>
                      <b>{formatPercent(reading.interval.share)}</b>
                      <br />
                      <span className="sm faint">{formatBounds(reading.interval)}</span>
                    </>
                  )}
                </td>
                <td className="num sm muted nw">{reading.aim === 1 ? 'all' : `≥ ${formatPercent(reading.aim)}`}</td>
                <td className="sm nw wraps rp">
                  <Verdict reading={reading} />
                  <br />
                  <span className="faint">{targetBecause(reading, report)}</span>
                </td>
                <td className="num sm nw opt">
                  {reading.of === 0 ? (
                    <span className="faint">none</span>
                  ) : (
                    <Link className="link" href={behind}>
                      {targetCount(reading)}
                      <span className="vh"> {reading.of === 1 ? words.unitOne : words.unit}</span>
                    </Link>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollX>
  );
}

/** A colour and a glyph only where noise can't have made it. */
function Verdict({ reading: { verdict, reading } }: { reading: TargetReading }) {
  switch (verdict) {
    case 'met':
      return (
        <span className="better b">
          <Check className="i s" aria-hidden /> {reading}
        </span>
      );
    case 'missed':
      return (
        <span className="worse b">
          <X className="i s" aria-hidden /> {reading}
        </span>
      );
    case 'met_within_noise':
    case 'under_within_noise':
      return <b className="md5">{reading}</b>;
    case 'too_few':
    case 'none':
      return <span className="muted">{reading}</span>;
  }
}
