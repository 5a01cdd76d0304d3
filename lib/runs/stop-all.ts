import type pg from 'pg';
import { z } from 'zod';
import { ROLES } from '#lib/auth/role.ts';
import { cleanText, storableJson } from '#lib/database/clean-text.ts';
import type { Database } from '#lib/database/database.ts';
import { type StopAllState, stopAllStateSchema, type UnfinishedCounts } from './stop-all-record.ts';

const KEY = 'stop_all';

/** As it is kept: who asked, and up to which run. */
const stopAllSchema = stopAllStateSchema.extend({
  id: z.guid(),
  actor: z.object({
    id: z.string(),
    name: z.string(),
    role: z.enum(ROLES),
    memberId: z.string().optional(),
    entry: z.string().optional(),
    address: z.string().optional(),
  }),
  /** Runs that were started later are left alone. */
  upToNumber: z.int(),
});
export type StopAll = z.infer<typeof stopAllSchema>;

/** How long one process works at it without saying so again, in milliseconds: after a crash another one goes on. */
const LEASE_MS = 15_000;

/** How many runs are queued, under way and waiting for a person, and the highest number of a run. */
export async function countUnfinished({
  pool,
}: Pick<Database, 'pool'>): Promise<UnfinishedCounts & { upToNumber: number }> {
  const { rows } = await pool.query<UnfinishedCounts & { upToNumber: number }>(
    `SELECT count(*) FILTER (WHERE status = 'queued')::int AS queued, count(*) FILTER (WHERE status = 'running')::int AS running,
       count(*) FILTER (WHERE status = 'waiting')::int AS waiting, (SELECT coalesce(max(number), 0) FROM runs) AS "upToNumber"
     FROM runs WHERE status IN ('queued', 'running', 'waiting')`,
  );
  return rows[0] ?? { queued: 0, running: 0, waiting: 0, upToNumber: 0 };
}

/** Keeps what is to be stopped, held by nobody; what was asked for before is part of it. */
export async function writeStopAll(client: pg.PoolClient, stopAll: StopAll): Promise<void> {
  await client.query(
    `INSERT INTO installation_settings (key, value, updated_by, updated_at) VALUES ($1, $2::jsonb, $3, $4)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_by = excluded.updated_by, updated_at = excluded.updated_at`,
    [KEY, storableJson(stopAll), cleanText(stopAll.askedBy), new Date(stopAll.askedAt)],
  );
}

/** The last that was asked for; null where nobody ever did. */
export async function findStopAll({ prisma }: Pick<Database, 'prisma'>): Promise<StopAll | null> {
  const row = await prisma.installationSetting.findUnique({ where: { key: KEY } });
  return row === null ? null : stopAllSchema.parse(row.value);
}

/** As much of it as anybody may see. */
export function stateOf({ askedBy, askedAt, waiting, total, stopped, doneAt }: StopAll): StopAllState {
  return { askedBy, askedAt, waiting, total, stopped, doneAt };
}

/** Takes what is under way for `holder`, or holds it on; null where nothing is, or another process has it. */
export async function holdStopAll({ pool }: Pick<Database, 'pool'>, holder: string): Promise<StopAll | null> {
  const { rows } = await pool.query<{ value: unknown }>(
    `UPDATE installation_settings
     SET value = value || jsonb_build_object('heldBy', $2::text, 'heldUntil', now() + $3 * interval '1 millisecond')
     WHERE key = $1 AND value->>'doneAt' IS NULL
       AND (value->>'heldBy' IS NULL OR value->>'heldBy' = $2 OR (value->>'heldUntil')::timestamptz < now())
     RETURNING value`,
    [KEY, holder, LEASE_MS],
  );
  return rows[0] === undefined ? null : stopAllSchema.parse(rows[0].value);
}

/** Adds to how many were stopped; with `doneAt`, it is over. Does nothing when something else was asked for meanwhile. */
export async function noteStopped(
  { pool }: Pick<Database, 'pool'>,
  { id, stopped, doneAt }: { id: string; stopped: number; doneAt: Date | null },
): Promise<void> {
  await pool.query(
    `UPDATE installation_settings
     SET value = value || jsonb_build_object('stopped', (value->>'stopped')::int + $3::int) || CASE WHEN $4::text IS NULL THEN '{}' ELSE jsonb_build_object('doneAt', $4::text) END
     WHERE key = $1 AND value->>'id' = $2`,
    [KEY, id, stopped, doneAt?.toISOString() ?? null],
  );
}

/** Runs that are still to be stopped but these, those that no worker has begun first. */
export async function nextToStop(
  { pool }: Pick<Database, 'pool'>,
  { waiting, upToNumber }: Pick<StopAll, 'waiting' | 'upToNumber'>,
  tried: readonly string[],
  limit: number,
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM runs WHERE status = ANY ($1::text[]) AND number <= $2 AND NOT id = ANY ($3::uuid[])
     ORDER BY array_position($1::text[], status), number LIMIT $4`,
    [waiting ? ['queued', 'running', 'waiting'] : ['queued', 'running'], upToNumber, tried, limit],
  );
  return rows.map(({ id }) => id);
}

/** Takes the queue's jobs of the runs that no worker has begun, so that none begins while they are stopped one after another. */
export async function holdBackQueued(client: pg.PoolClient, upToNumber: number): Promise<void> {
  await client.query(
    `DELETE FROM pgboss.job WHERE name = 'runs' AND state < 'active'
       AND singleton_key IN (SELECT id::text FROM runs WHERE status = 'queued' AND number <= $1)`,
    [upToNumber],
  );
}
