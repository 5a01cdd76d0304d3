import Link from 'next/link';
import { address } from '#components/shell/pager.tsx';
import { RUN_STATUSES, type RunStatus } from '#lib/reflection/run-record.ts';

type StatusFilterProps = {
  path: string;
  batch: string;
  counts: Record<RunStatus, number>;
  total: number;
  chosen: RunStatus | null;
};

/** Shows the runs of one status; only those that occur are offered. */
export function StatusFilter({ path, batch, counts, total, chosen }: StatusFilterProps) {
  const offered = RUN_STATUSES.filter((status) => counts[status] > 0 || status === chosen);
  if (offered.length < 2 && chosen === null) return <span className="note">{total}</span>;
  return (
    <nav className="seg max-w-full overflow-x-auto" aria-label="Status">
      <Link href={address(path, { batch })} aria-current={chosen === null ? 'true' : undefined} scroll={false}>
        All {total}
      </Link>
      {offered.map((status) => (
        <Link
          key={status}
          href={address(path, { batch, status })}
          aria-current={chosen === status ? 'true' : undefined}
          scroll={false}
        >
          {status} {counts[status]}
        </Link>
      ))}
    </nav>
  );
}
