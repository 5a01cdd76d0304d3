import Link from 'next/link';
import { PaneHeader } from '#components/ui/pane.tsx';
import { Table } from '#components/ui/table.tsx';
import { formatCount, formatNumberOf } from '#lib/format.ts';
import type { Calibration } from '#lib/measures/calibration.ts';
import type { RunReading } from '#lib/measures/run-readings.ts';
import { type InsightsView, runsBehind } from './insights-view.ts';

type ConfusionTableProps = { found: Calibration; truth: 'people' | 'checks'; view: InsightsView };

/** Where judge and truth part, at the thresholds of the settings, and the runs behind it. */
export function ConfusionTable({ found: { confusion, n, runs }, truth, view }: ConfusionTableProps) {
  const who = truth === 'people' ? 'People' : 'Checks';
  const { bothGood, letThrough, heldBack, neitherGood } = confusion;
  return (
    <div className="min-w-0 flex-[0_1_26rem]">
      <PaneHeader>
        <h2>Where they part</h2>
        <span className="text-ink-3 text-sm">
          {formatNumberOf(n, 'version')} of {formatNumberOf(runs, 'run')}
        </span>
      </PaneHeader>
      <Table className="th:whitespace-normal" data-testid="confusion">
        <caption className="sr-only">Judgements at the thresholds of the settings</caption>
        <thead>
          <tr>
            <td />
            <th scope="col" className="whitespace-nowrap text-right">
              {who}: good
            </th>
            <th scope="col" className="whitespace-nowrap text-right">
              {who}: not good
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Judge: good</th>
            <td className="whitespace-nowrap text-right">
              <b>{formatCount(bothGood)}</b> <span className="text-ink-2 text-sm">agree</span>
            </td>
            <td
              className={letThrough > 0 ? 'whitespace-nowrap bg-worse-bg text-right' : 'whitespace-nowrap text-right'}
            >
              <b className={letThrough > 0 ? 'text-worse' : undefined}>{formatCount(letThrough)}</b>{' '}
              <span className="text-ink-2 text-sm">let through</span>
            </td>
          </tr>
          <tr>
            <th scope="row">Judge: not good</th>
            <td className={heldBack > 0 ? 'whitespace-nowrap bg-worse-bg text-right' : 'whitespace-nowrap text-right'}>
              <b className={heldBack > 0 ? 'text-worse' : undefined}>{formatCount(heldBack)}</b>{' '}
              <span className="text-ink-2 text-sm">held back</span>
            </td>
            <td className="whitespace-nowrap text-right">
              <b>{formatCount(neitherGood)}</b> <span className="text-ink-2 text-sm">agree</span>
            </td>
          </tr>
        </tbody>
      </Table>
      <p className="mt-2 text-ink-2 text-sm">
        <Opens count={letThrough} reading={`${truth}.let_through`} view={view}>
          Open the runs it let through
        </Opens>{' '}
        <Opens count={heldBack} reading={`${truth}.held_back`} view={view}>
          Open those it held back
        </Opens>
      </p>
    </div>
  );
}

type OpensProps = { count: number; reading: RunReading; view: InsightsView; children: string };

function Opens({ count, reading, view, children }: OpensProps) {
  if (count === 0) return null;
  return (
    <Link className="link mr-3" href={runsBehind(view, reading)}>
      {children}
    </Link>
  );
}
