import type { Database } from '#lib/database/database.ts';

/** An executed statement: its name, or its text if unnamed, and the number of rows and characters it returned. */
export type RecordedQuery = { name: string; rows: number; characters: number };

/** Returns the same database, recording the statements of its pool and the raw SQL of its Prisma client. */
export function recordQueries(database: Database): { database: Database; recorded: RecordedQuery[] } {
  const recorded: RecordedQuery[] = [];
  const { pool, prisma } = database;
  const note = (name: string, rows: unknown[]) =>
    recorded.push({ name, rows: rows.length, characters: JSON.stringify(rows).length });
  const query = async (given: string | { name?: string; text: string; values?: unknown[] }, values?: unknown[]) => {
    const asked = typeof given === 'string' ? { text: given, values } : given;
    const found = await pool.query<Record<string, unknown>>(asked);
    note(asked.name ?? asked.text, found.rows);
    return found;
  };
  const $queryRawUnsafe = async (text: string, ...values: unknown[]) => {
    const rows = await prisma.$queryRawUnsafe<unknown[]>(text, ...values);
    note(text, rows);
    return rows;
  };
  const recording = {
    pool: Object.assign(Object.create(pool), { query }),
    prisma: new Proxy(prisma, {
      get: (target, name) => (name === '$queryRawUnsafe' ? $queryRawUnsafe : Reflect.get(target, name)),
    }),
  };
  return { database: { ...database, ...recording }, recorded };
}
