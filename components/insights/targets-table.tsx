import { Check, X } from 'lucide-react';
import Link from 'next/link';
import { formatBounds } from '#components/experiment/success-cell.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { Table } from '#components/ui/table.tsx';
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
      <Table isInset hasHover data-testid="targets">
        <thead>
          <tr>
            <th scope="col">Target</th>
            <th scope="col" className="max-narrow:hidden">
              <span className="sr-only">Interval against the target</span>
              <TargetScale from={from} />
            </th>
            <th scope="col" className="whitespace-nowrap text-right">
              Now
            </th>
            <th scope="col" className="whitespace-nowrap text-right">
              Target
            </th>
            <th scope="col" className="max-narrow:pr-4">
              Reads as
            </th>
            <th scope="col" className="whitespace-nowrap text-right max-narrow:hidden">
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
                  <Link href={behind} className="font-medium">
                    {words.title}
                  </Link>
                  <br />
                  <span className="text-ink-3 text-sm">{words.of}</span>
                </td>
                <td className="max-narrow:hidden">
                  <TargetBar {...reading} from={from} />
                </td>
                <td className="whitespace-nowrap text-right">
                  {reading.interval === null ? (
                    <span className="text-ink-3">–</span>
                  ) : (
                    <>
                      <b>{formatPercent(reading.interval.share)}</b>
                      <br />
                      <span className="text-ink-3 text-sm">{formatBounds(reading.interval)}</span>
                    </>
                  )}
                </td>
                <td className="whitespace-nowrap text-right text-ink-2 text-sm">
                  {reading.aim === 1 ? 'all' : `≥ ${formatPercent(reading.aim)}`}
                </td>
                <td className="max-[401px]:wrap-anywhere whitespace-nowrap text-sm max-[401px]:whitespace-normal max-narrow:pr-4">
                  <Verdict reading={reading} />
                  <br />
                  <span className="text-ink-3">{targetBecause(reading, report)}</span>
                </td>
                <td className="whitespace-nowrap text-right text-sm max-narrow:hidden">
                  {reading.of === 0 ? (
                    <span className="text-ink-3">none</span>
                  ) : (
                    <Link className="link" href={behind}>
                      {targetCount(reading)}
                      <span className="sr-only"> {reading.of === 1 ? words.unitOne : words.unit}</span>
                    </Link>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </Table>
    </ScrollX>
  );
}

/** A colour and a glyph only where noise can't have made it. */
function Verdict({ reading: { verdict, reading } }: { reading: TargetReading }) {
  switch (verdict) {
    case 'met':
      return (
        <span className="font-semibold text-better">
          <Check className="size-3.25" aria-hidden /> {reading}
        </span>
      );
    case 'missed':
      return (
        <span className="font-semibold text-worse">
          <X className="size-3.25" aria-hidden /> {reading}
        </span>
      );
    case 'met_within_noise':
    case 'under_within_noise':
      return <b className="font-medium">{reading}</b>;
    case 'too_few':
    case 'none':
      return <span className="text-ink-2">{reading}</span>;
  }
}
