import Link from 'next/link';
import { stopMeaning } from '#components/run/stop-reason-words.ts';
import { address } from '#components/shell/pager.tsx';
import { formatCount } from '#lib/format.ts';
import { STOP_REASONS } from '#lib/reflection/history.ts';
import type { ExperimentSettings } from '#lib/reflection/settings.ts';

type StopReasonsProps = {
  path: string;
  batchId: string;
  counts: Record<string, number>;
  waiting: number;
  settings: ExperimentSettings;
};

/** Why the runs of a batch ended, most frequent first, under the names they are stored by; each leads to its runs. */
export function StopReasons({ path, batchId, counts, waiting, settings }: StopReasonsProps) {
  const rows = STOP_REASONS.map((reason) => ({ reason, count: counts[reason] ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count);
  const most = Math.max(1, waiting, ...rows.map(({ count }) => count));
  if (rows.length === 0 && waiting === 0) return <p className="muted">None has ended yet.</p>;
  return (
    <ul data-testid="stop-reasons">
      {rows.map(({ reason, count }) => (
        <li key={reason} className="reason">
          <Link href={address(path, { batch: batchId, reason })} scroll={false}>
            <span className="mono sm">{reason}</span>
            <br />
            <span className="faint sm">{stopMeaning(reason, settings)}</span>
          </Link>
          <span className="bar bare" aria-hidden>
            <i
              className={reason === 'quality_met' || reason === 'user_accepted' ? 'ok' : ''}
              style={{ width: `${(100 * count) / most}%` }}
            />
          </span>
          <b className="num">{formatCount(count)}</b>
        </li>
      ))}
      {waiting > 0 ? (
        <li className="reason">
          <Link href={address(path, { batch: batchId, status: 'waiting' })} scroll={false}>
            <span className="waitc b sm">still waiting</span>
            <br />
            <span className="faint sm">for a person’s answer</span>
          </Link>
          <span className="bar bare" aria-hidden>
            <i className="wt" style={{ width: `${(100 * waiting) / most}%` }} />
          </span>
          <b className="num">{formatCount(waiting)}</b>
        </li>
      ) : null}
    </ul>
  );
}
