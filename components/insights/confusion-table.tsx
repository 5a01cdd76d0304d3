import Link from 'next/link';
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
      <div className="ph">
        <h2>Where they part</h2>
        <span className="note">
          {formatNumberOf(n, 'version')} of {formatNumberOf(runs, 'run')}
        </span>
      </div>
      <table className="t confusion" data-testid="confusion">
        <caption className="vh">Judgements at the thresholds of the settings</caption>
        <thead>
          <tr>
            <td />
            <th scope="col" className="num">
              {who}: good
            </th>
            <th scope="col" className="num">
              {who}: not good
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Judge: good</th>
            <td className="num">
              <b>{formatCount(bothGood)}</b> <span className="sm muted">agree</span>
            </td>
            <td className={letThrough > 0 ? 'num parted' : 'num'}>
              <b className={letThrough > 0 ? 'worse' : undefined}>{formatCount(letThrough)}</b>{' '}
              <span className="sm muted">let through</span>
            </td>
          </tr>
          <tr>
            <th scope="row">Judge: not good</th>
            <td className={heldBack > 0 ? 'num parted' : 'num'}>
              <b className={heldBack > 0 ? 'worse' : undefined}>{formatCount(heldBack)}</b>{' '}
              <span className="sm muted">held back</span>
            </td>
            <td className="num">
              <b>{formatCount(neitherGood)}</b> <span className="sm muted">agree</span>
            </td>
          </tr>
        </tbody>
      </table>
      <p className="sm muted mt-2">
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
