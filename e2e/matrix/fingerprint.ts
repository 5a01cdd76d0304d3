import type pg from 'pg';
import { RUN_AMOUNTS, totalsOf } from '#lib/runs/run-measures.ts';

/** Tables that change with time or with each request, or that record refused requests. */
const PASSING_TABLES = ['app_processes', 'audit_entries', 'sign_in_limits', '_prisma_migrations'];
/** Background jobs merge rows of these tables, so only their sums must stay the same. */
const MERGED_TABLES = ['run_totals', 'uncounted_runs', 'lesson_totals'];
const SUMS: Record<string, string> = {
  'sums of runs': `SELECT x.id, t.experiment_version, ${RUN_AMOUNTS.map((amount) => `round(sum(${amount})::numeric, 6)`).join(', ')}
    FROM experiments x, LATERAL ${totalsOf('x.id', RUN_AMOUNTS)} t GROUP BY 1, 2`,
  'sums of lessons': `SELECT status, sum(lessons), sum(review), sum(refuted) FROM lesson_totals GROUP BY 1
    HAVING sum(lessons) <> 0 OR sum(review) <> 0 OR sum(refuted) <> 0`,
};
const PASSING_COLUMNS = ['last_seen_at', 'last_used_at', 'seen_at'];
/** Using a session extends it. */
const PASSING_OF_SESSIONS = ['updated_at', 'expires_at'];

/** Returns the row count and a hash of all rows for each table. Equal fingerprints mean that no data changed in between. */
export async function fingerprint(database: Pick<pg.Pool, 'query'>): Promise<Record<string, string>> {
  const { rows: tables } = await database.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> ALL ($1) ORDER BY 1",
    [[...PASSING_TABLES, ...MERGED_TABLES]],
  );
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const passing = [...PASSING_COLUMNS, ...(name === 'sessions' ? PASSING_OF_SESSIONS : [])];
    const { rows } = await database.query<{ seen: string }>(
      `SELECT count(*) || ' ' || coalesce(md5(string_agg(r, '' ORDER BY r)), '') AS seen
       FROM (SELECT (to_jsonb(t) - $1::text[])::text AS r FROM "${name}" t) s`,
      [passing],
    );
    found[name] = rows[0]?.seen ?? '';
  }
  for (const [name, sums] of Object.entries(SUMS)) {
    const { rows } = await database.query<{ seen: string }>(
      `SELECT md5(coalesce(string_agg(s::text, '' ORDER BY s::text), '')) AS seen FROM (${sums}) s`,
    );
    found[name] = rows[0]?.seen ?? '';
  }
  return found;
}

/** Returns the tables that differ between two fingerprints. */
export function changedTables(before: Record<string, string>, after: Record<string, string>): string[] {
  return Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]);
}
