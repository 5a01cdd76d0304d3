import type { Database } from '#lib/database/database.ts';

/** How far a run has come: its status and the number of its last stored event (0 before the first). */
export type RunProgress = { status: string; eventNumber: number };

/** Null where there is no such run. Small enough to be asked after every event. */
export async function findRunProgress(database: Database, runId: string): Promise<RunProgress | null> {
  const { rows } = await database.pool.query<{ status: string; event_number: number }>({
    name: 'find-run-progress',
    text: 'SELECT status, event_number FROM runs WHERE id = $1',
    values: [runId],
  });
  return rows[0] === undefined ? null : { status: rows[0].status, eventNumber: rows[0].event_number };
}
