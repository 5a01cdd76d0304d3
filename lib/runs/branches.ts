import type pg from 'pg';
import { editedVersion } from '#lib/core/edited-version.ts';
import type { Version } from '#lib/core/history.ts';
import type { Database } from '#lib/database/database.ts';

/** A run whose first version is the text of `version` of another run. */
type Branch = { runId: string; number: number; version: number };

/**
 * Whether batch `b` holds but a run that was branched from another, and was not started as a batch. Counted, since PostgreSQL may answer
 * EXISTS by reading all runs first.
 */
export const IS_BRANCH = `(b.total = 1 AND (
  SELECT count(r.branched_from_version) FROM runs r WHERE r.batch_id = b.id) > 0)`;

/** Notes which version of which run a new run begins with. */
export async function markBranch(
  client: pg.PoolClient,
  runId: string,
  from: { runId: string; version: number },
): Promise<void> {
  await client.query('UPDATE runs SET branched_from_run_id = $2, branched_from_version = $3 WHERE id = $1', [
    runId,
    from.runId,
    from.version,
  ]);
}

/** The runs that were branched from a run, the oldest first. */
export async function findBranches(database: Database, runId: string): Promise<Branch[]> {
  const { rows } = await database.pool.query<Branch>({
    name: 'find-branches',
    text: `SELECT id AS "runId", number, branched_from_version AS version FROM runs WHERE branched_from_run_id = $1 ORDER BY number`,
    values: [runId],
  });
  return rows;
}

/** The number of a run, null where it is not there any more. */
export async function findRunNumber(database: Database, runId: string): Promise<number | null> {
  const { rows } = await database.pool.query<{ number: number }>({
    name: 'find-run-number',
    text: 'SELECT number FROM runs WHERE id = $1',
    values: [runId],
  });
  return rows[0]?.number ?? null;
}

/** The first version of a run that begins with a text from another run: nothing made it, it has no parents and cost nothing. */
export function branchedVersion({ output, at }: { output: string; at: string }): Version {
  return { ...editedVersion({ versions: [], step: 0 }, { output, parents: [], at }), origin: 'branched' };
}
