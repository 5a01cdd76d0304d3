import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';

/** A process of Hone on the database: one that serves pages (and may perform runs too), or one that only performs runs. */
export type AppProcess = {
  /** Made anew at each start. */
  id: string;
  kind: 'web' | 'worker';
  host: string;
  processId: number;
  version: string;
  /** Runs it performs at the same time, 0 to 64. */
  slots: number;
  /** Runs at work. */
  busy: number;
  startedAt: Date;
};

/** How often a process says that it lives. */
export const BEAT_MS = 5_000;
/** A process that was silent for this long is gone. */
export const GONE_MS = 30_000;

/** Says that the process lives, by the database's clock. */
export async function beatAppProcess({ pool }: Pick<Database, 'pool'>, process: AppProcess): Promise<void> {
  const { id, kind, host, processId, version, slots, busy, startedAt } = process;
  await pool.query({
    name: 'beat-app-process',
    text: `INSERT INTO app_processes (id, kind, host, process_id, version, slots, busy, started_at, seen_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now())
      ON CONFLICT (id) DO UPDATE SET slots = $6, busy = $7, seen_at = now()`,
    values: [id, kind, host, processId, version, slots, busy, startedAt],
  });
}

/** Takes the process off the list: it ends in good order. */
export async function leaveAppProcesses({ pool }: Pick<Database, 'pool'>, id: string): Promise<void> {
  await pool.query('DELETE FROM app_processes WHERE id = $1', [id]);
}

/** Takes all processes off the list but one. Only for the one process on its database. */
export async function forgetOtherProcesses({ pool }: Pick<Database, 'pool'>, id: string): Promise<void> {
  await pool.query('DELETE FROM app_processes WHERE id <> $1', [id]);
}

const livingRow = z
  .object({
    id: z.string(),
    kind: z.enum(['web', 'worker']),
    host: z.string(),
    process_id: z.int(),
    version: z.string(),
    slots: z.int(),
    busy: z.int(),
    started_at: z.date(),
    seen_at: z.date(),
  })
  .transform(
    ({ process_id, started_at, seen_at, ...rest }): LivingProcess => ({
      ...rest,
      processId: process_id,
      startedAt: started_at,
      seenAt: seen_at,
    }),
  );
export type LivingProcess = AppProcess & { seenAt: Date };

/** The processes that were heard of within the last 30 s, longest running first. */
export async function livingProcesses({ pool }: Pick<Database, 'pool'>): Promise<LivingProcess[]> {
  const { rows } = await pool.query({
    name: 'living-processes',
    text: `SELECT id, kind, host, process_id, version, slots, busy, started_at, seen_at FROM app_processes
      WHERE seen_at > now() - $1 * interval '1 millisecond' ORDER BY started_at, id`,
    values: [GONE_MS],
  });
  return z.array(livingRow).parse(rows);
}
