import type { Database } from '#lib/database/database.ts';

/** A statement that was asked: its name, or its text where it has none, and how many rows and characters it answered. */
export type NotedQuery = { name: string; rows: number; characters: number };

/** The same database, which notes what its pool is asked. */
export function noteQueries(database: Database): { database: Database; noted: NotedQuery[] } {
  const noted: NotedQuery[] = [];
  const { pool, ...rest } = database;
  const query = async (given: string | { name?: string; text: string; values?: unknown[] }, values?: unknown[]) => {
    const asked = typeof given === 'string' ? { text: given, values } : given;
    const found = await pool.query<Record<string, unknown>>(asked);
    const { rows } = found;
    noted.push({ name: asked.name ?? asked.text, rows: rows.length, characters: JSON.stringify(rows).length });
    return found;
  };
  return { database: { ...rest, pool: Object.assign(Object.create(pool), { query }) }, noted };
}
