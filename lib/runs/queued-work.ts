import type { Database, Queryable } from '#lib/database/database.ts';
import type { Transaction } from '#lib/database/transactions.ts';

/** How long a piece of work is held without being renewed, in milliseconds: after a crash another worker may take it then. */
export const WORK_LEASE_MS = 15_000;

/**
 * Tables of work that workers do for a run beside its loop. Each row is one piece (`run_id`, `number`), to be done while its status is
 * `waiting`, and held by one worker at a time (`held_by`, `held_until`).
 */
export type WorkTable = 'rescores' | 'retrospectives';

/** Takes the next waiting piece of a run for `holder` and answers its number; null when there is none that is not held. */
export async function takeWork(
  database: Database,
  table: WorkTable,
  runId: string,
  holder: string,
): Promise<number | null> {
  const { rows } = await database.pool.query<{ number: number }>(
    `UPDATE ${table} SET held_by = $2, held_until = now() + $3 * interval '1 millisecond'
     WHERE (run_id, number) = (
       SELECT run_id, number FROM ${table}
       WHERE run_id = $1 AND status = 'waiting' AND (held_until IS NULL OR held_until < now() OR held_until > now() + 2 * $3 * interval '1 millisecond')
       ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING number`,
    [runId, holder, WORK_LEASE_MS],
  );
  return rows[0]?.number ?? null;
}

/** Which of these runs have work that waits and that nobody holds. */
export async function runsWithWaitingWork(database: Database, runIds: string[]): Promise<string[]> {
  const { rows } = await database.pool.query<{ runId: string }>({
    name: 'runs-with-waiting-work',
    text: TABLES.map(
      (table) => `SELECT run_id AS "runId" FROM ${table}
        WHERE run_id = ANY ($1::uuid[]) AND status = 'waiting' AND (held_until IS NULL OR held_until < now())`,
    ).join(' UNION '),
    values: [runIds],
  });
  return rows.map(({ runId }) => runId);
}

/** Whether any such work of a run waits, held or not. */
export async function hasWaitingWork({ prisma }: Database, table: WorkTable, runId: string): Promise<boolean> {
  const where = { runId, status: 'waiting' };
  const found = table === 'rescores' ? prisma.rescore.findFirst({ where }) : prisma.retrospective.findFirst({ where });
  return (await found) !== null;
}

/** Holds what a holder has of a run for another lease. */
export async function renewWork(database: Database, table: WorkTable, runId: string, holder: string): Promise<void> {
  await database.pool.query(
    `UPDATE ${table} SET held_until = now() + $3 * interval '1 millisecond' WHERE run_id = $1 AND held_by = $2 AND status = 'waiting'`,
    [runId, holder, WORK_LEASE_MS],
  );
}

/** Lets go of what a holder has of a run, unfinished. */
export async function releaseWork({ prisma }: Database, table: WorkTable, runId: string, holder: string) {
  const waiting = { where: { runId, heldBy: holder, status: 'waiting' }, data: { heldBy: null, heldUntil: null } };
  await (table === 'rescores' ? prisma.rescore.updateMany(waiting) : prisma.retrospective.updateMany(waiting));
}

/** Lets go of all that a process that is gone held, and answers whose work it was. */
export async function releaseWorkOf({ pool }: { pool: Queryable }, holder: string): Promise<string[]> {
  const runIds: string[] = [];
  for (const table of TABLES) {
    const { rows } = await pool.query<{ runId: string }>(
      `UPDATE ${table} SET held_by = NULL, held_until = NULL WHERE held_by = $1 AND status = 'waiting' RETURNING run_id AS "runId"`,
      [holder],
    );
    runIds.push(...rows.map(({ runId }) => runId));
  }
  return runIds;
}

/** Lets go of what dead processes held. Only for the one process on its database. */
export async function releaseAllWork(database: { pool: Queryable }): Promise<void> {
  for (const table of TABLES)
    await database.pool.query(`UPDATE ${table} SET held_by = NULL, held_until = NULL WHERE status = 'waiting'`);
}

const TABLES: readonly WorkTable[] = ['rescores', 'retrospectives'];

/** Holds a run to the end of the transaction and answers its status; null where there is no such run. */
export async function lockRun(transaction: Transaction, runId: string): Promise<string | null> {
  const [run] = await transaction.$queryRaw<{ status: string }[]>`
    SELECT status FROM runs WHERE id = ${runId}::uuid FOR UPDATE`;
  return run?.status ?? null;
}

/**
 * The runs that want performing: queued ones, those that a worker had begun, and those with re-scores or a look back to make; oldest first.
 * A union, as a condition with OR would read all runs.
 */
export async function unfinishedRunIds({ pool }: { pool: Queryable }): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT r.id FROM runs r JOIN (
       SELECT id FROM runs WHERE status IN ('queued', 'running')
       UNION SELECT run_id FROM rescores WHERE status = 'waiting'
       UNION SELECT run_id FROM retrospectives WHERE status = 'waiting') unfinished USING (id)
     ORDER BY r.number`,
  );
  return rows.map(({ id }) => id);
}
