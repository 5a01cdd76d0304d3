import { z } from 'zod';
import { RUN_STATUSES } from '#lib/core/run-record.ts';
import type { Database } from '#lib/database/database.ts';

const placeRow = z.object({
  status: z.enum(RUN_STATUSES),
  experimentId: z.string(),
  experimentVersion: z.int(),
  /** When a job that failed is tried again; null for others. */
  triedAgainAt: z.date().nullable(),
  /** Jobs that begin before it. */
  ahead: z.int(),
});
export type QueueRow = z.infer<typeof placeRow>;

/** How a run's job stands; null where there is no such run. */
export async function findQueueRow({ pool }: Pick<Database, 'pool'>, runId: string): Promise<QueueRow | null> {
  const { rows } = await pool.query<Record<string, unknown>>({
    name: 'queue-row',
    text: `SELECT r.status, r.experiment_id AS "experimentId", r.experiment_version AS "experimentVersion",
        CASE WHEN j.start_after > now() THEN j.start_after END AS "triedAgainAt",
        (SELECT count(*) FROM pgboss.job a WHERE a.name = 'runs' AND a.state < 'active' AND a.start_after <= now()
          AND (a.created_on, a.id) < (j.created_on, j.id))::int AS ahead
      FROM runs r LEFT JOIN LATERAL (
        SELECT * FROM pgboss.job j WHERE j.name = 'runs' AND j.singleton_key = $1::text AND j.state < 'active' ORDER BY j.start_after LIMIT 1) j ON true
      WHERE r.id = $1::uuid`,
    values: [runId],
  });
  return rows[0] === undefined ? null : placeRow.parse(rows[0]);
}

const limitRow = z.object({
  provider: z.string(),
  maxConcurrency: z.int().nullable(),
  /** Calls under way, over all processes. */
  held: z.int(),
  nextCallAt: z.date().nullable(),
});
export type ProviderLimitRow = z.infer<typeof limitRow>;

/** How far these providers' limits are used just now, by the database's clock; those without limits are left out. */
export async function findProviderLimits(
  { pool }: Pick<Database, 'pool'>,
  providers: string[],
): Promise<ProviderLimitRow[]> {
  const { rows } = await pool.query<Record<string, unknown>>({
    name: 'provider-limits-now',
    text: `SELECT p.name AS provider, p.max_concurrency AS "maxConcurrency",
        (SELECT count(*) FROM provider_slots s WHERE s.provider = p.name AND s.holder IS NOT NULL AND s.held_until > now())::int AS held,
        CASE WHEN p.max_requests_per_minute IS NOT NULL AND p.next_call_at > now() THEN p.next_call_at END AS "nextCallAt"
      FROM providers p
      WHERE p.name = ANY ($1::text[]) AND (p.max_concurrency IS NOT NULL OR p.max_requests_per_minute IS NOT NULL) ORDER BY p.name`,
    values: [providers],
  });
  return z.array(limitRow).parse(rows);
}

/** The run of a batch that begins first of those that are queued; null where none is. */
export async function firstQueuedRun({ pool }: Pick<Database, 'pool'>, batchId: string): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT r.id FROM runs r LEFT JOIN pgboss.job j ON j.name = 'runs' AND j.singleton_key = r.id::text AND j.state < 'active'
     WHERE r.batch_id = $1 AND r.status = 'queued' ORDER BY j.created_on NULLS LAST, j.id, r.position LIMIT 1`,
    [batchId],
  );
  return rows[0]?.id ?? null;
}
