import type pg from 'pg';

/**
 * Whether a migration takes away or narrows something, so that older versions cannot work with the schema any more: its name says so.
 * All others only add, and older versions work on beside them.
 */
export function isContracting(name: string): boolean {
  return name.includes('contract');
}

/** The migrations of the database that this version does not know and that take away something, oldest first. */
export async function contractingMigrations(
  { pool }: { pool: Pick<pg.Pool, 'query'> },
  known: readonly string[],
): Promise<string[]> {
  const { rows } = await pool.query<{ migration_name: string }>({
    name: 'contracting-migrations',
    text: `SELECT migration_name FROM _prisma_migrations
      WHERE rolled_back_at IS NULL AND position('contract' in migration_name) > 0 AND NOT migration_name = ANY ($1::text[]) ORDER BY migration_name`,
    values: [known],
  });
  return rows.map(({ migration_name }) => migration_name);
}
