import type { Database } from '#lib/database/database.ts';

/** Error message of each audit log write while writes fail. */
export const AUDIT_FAILURE = 'the audit log takes nothing';

/** Runs `work` while the database rejects all audit log rows. */
export async function whileAuditFails<Value>(
  { pool }: Pick<Database, 'pool'>,
  work: () => Promise<Value>,
): Promise<Value> {
  await pool.query(
    `CREATE FUNCTION fail_audit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '${AUDIT_FAILURE}'; END $$;
     CREATE TRIGGER audit_entries_fail BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION fail_audit()`,
  );
  try {
    return await work();
  } finally {
    await pool.query('DROP TRIGGER audit_entries_fail ON audit_entries; DROP FUNCTION fail_audit()');
  }
}

/** Returns a hash of each table in a database, which changes with every change of a row. */
export async function contentsOf({ pool }: Pick<Database, 'pool'>): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
  );
  const contents: Record<string, string> = {};
  for (const { name } of rows) {
    const { rows: sums } = await pool.query<{ sum: string }>(
      `SELECT count(*) || ' ' || md5(coalesce(string_agg(t::text, ',' ORDER BY t::text), '')) AS sum FROM "${name}" t`,
    );
    contents[name] = sums[0]?.sum ?? '';
  }
  return contents;
}
