import type { Database } from '#lib/database/database.ts';

const FIND = `
  SELECT x.id AS "experimentId",
    (SELECT r.id FROM runs r WHERE r.experiment_id = x.id AND r.status = 'finished' ORDER BY r.number DESC LIMIT 1) AS "runId"
  FROM experiments x WHERE x.sample AND strpos(lower(x.name), lower($1)) > 0 ORDER BY x.created_at DESC, x.id DESC LIMIT 1`;

/** The newest sample experiment with `name` in its name and its newest finished run, if it has one; null where there is no such experiment. */
export async function findSampleRun(
  { pool }: Pick<Database, 'pool'>,
  name: string,
): Promise<{ experimentId: string; runId: string | null } | null> {
  const { rows } = await pool.query<{ experimentId: string; runId: string | null }>({
    name: 'find-sample-run',
    text: FIND,
    values: [name],
  });
  return rows[0] ?? null;
}
