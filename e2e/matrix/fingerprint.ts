import type pg from 'pg';

/** They change by being there, or by being asked, are the record of what was refused, or are summed up in the background. */
const PASSING_TABLES = [
  ...['app_processes', 'audit_entries', 'sign_in_limits', '_prisma_migrations'],
  ...['run_totals', 'uncounted_runs'],
];
const PASSING_COLUMNS = ['last_seen_at', 'last_used_at', 'seen_at'];
/** A session is prolonged by its use. */
const PASSING_OF_SESSIONS = ['updated_at', 'expires_at'];

/** What is stored, by table: how many rows, and a hash of them all. Two that are equal tell that nothing was changed between. */
export async function fingerprint(database: Pick<pg.Pool, 'query'>): Promise<Record<string, string>> {
  const { rows: tables } = await database.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> ALL ($1) ORDER BY 1",
    [PASSING_TABLES],
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
  return found;
}

/** The tables in which two states differ. */
export function changedTables(before: Record<string, string>, after: Record<string, string>): string[] {
  return Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]);
}
