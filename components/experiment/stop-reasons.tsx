import Link from 'next/link';
import { address } from '#components/layout/pager.tsx';
import { stopMeaning } from '#components/run/stop-reason-labels.ts';
import { Bar } from '#components/ui/bar.tsx';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { STOP_REASONS } from '#lib/core/stop-reasons.ts';
import { formatCount } from '#lib/format.ts';

type StopReasonsProps = {
  path: string;
  batchId: string;
  counts: Record<string, number>;
  waiting: number;
  settings: ExperimentSettings;
};

const ROW = 'grid grid-cols-[minmax(0,1fr)_4.5rem_1.8rem] items-center gap-2.5 border-b border-line py-1.25';

/** Why the runs of a batch ended, most frequent first, under the names they are stored by; each leads to its runs. */
export function StopReasons({ path, batchId, counts, waiting, settings }: StopReasonsProps) {
  const rows = STOP_REASONS.map((reason) => ({ reason, count: counts[reason] ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count);
  const most = Math.max(1, waiting, ...rows.map(({ count }) => count));
  if (rows.length === 0 && waiting === 0) return <p className="text-ink-2">None has ended yet.</p>;
  return (
    <ul data-testid="stop-reasons">
      {rows.map(({ reason, count }) => (
        <li key={reason} className={ROW}>
          <Link href={address(path, { batch: batchId, reason })} scroll={false}>
            <span className="font-mono text-sm">{reason}</span>
            <br />
            <span className="text-ink-3 text-sm">{stopMeaning(reason, settings)}</span>
          </Link>
          <Bar
            isBare
            tone={reason === 'quality_met' || reason === 'user_accepted' ? 'better' : 'default'}
            percent={(100 * count) / most}
          />
          <b className="whitespace-nowrap text-right">{formatCount(count)}</b>
        </li>
      ))}
      {waiting > 0 ? (
        <li className={ROW}>
          <Link href={address(path, { batch: batchId, status: 'waiting' })} scroll={false}>
            <span className="font-semibold text-sm text-wait">still waiting</span>
            <br />
            <span className="text-ink-3 text-sm">for a person’s answer</span>
          </Link>
          <Bar isBare tone="wait" percent={(100 * waiting) / most} />
          <b className="whitespace-nowrap text-right">{formatCount(waiting)}</b>
        </li>
      ) : null}
    </ul>
  );
}
