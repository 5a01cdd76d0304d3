import { z } from 'zod';
import { RUN_STATUSES, type RunStatus } from '#lib/core/run-record.ts';
import type { Database } from '#lib/database/database.ts';

export type QueueFacts = {
  /** Jobs that may begin now. */
  ready: number;
  /** Jobs that failed and are tried again later. */
  later: number;
  active: number;
  /** How long the oldest job that may begin has waited, in seconds; 0 where there is none. */
  oldestSeconds: number;
};

/** How many runs are in each status. */
export async function countRunsByStatus(database: Database): Promise<Record<RunStatus, number>> {
  const { rows } = await database.pool.query<Record<string, unknown>>(
    'SELECT status, count(*)::int AS runs FROM runs GROUP BY status',
  );
  const counted = z.array(z.object({ status: z.enum(RUN_STATUSES), runs: z.int() })).parse(rows);
  const counts: Record<RunStatus, number> = { queued: 0, running: 0, waiting: 0, finished: 0, failed: 0, stopped: 0 };
  for (const { status, runs } of counted) counts[status] = runs;
  return counts;
}

const queueRow = z.object({ ready: z.int(), later: z.int(), active: z.int(), oldestSeconds: z.number() });

/** How the queue of runs stands, by the database's clock. */
export async function findQueueFacts(database: Database): Promise<QueueFacts> {
  const { rows } = await database.pool.query<Record<string, unknown>>(
    `SELECT count(*) FILTER (WHERE state < 'active' AND start_after <= now())::int AS ready,
       count(*) FILTER (WHERE state < 'active' AND start_after > now())::int AS later,
       count(*) FILTER (WHERE state = 'active')::int AS active,
       greatest(0, coalesce(extract(epoch FROM now() - min(greatest(created_on, start_after)) FILTER (WHERE state < 'active' AND start_after <= now())), 0))::float8 AS "oldestSeconds"
     FROM pgboss.job WHERE name = 'runs' AND state <= 'active'`,
  );
  return queueRow.parse(rows[0]);
}
