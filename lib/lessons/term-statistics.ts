import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';

/** How long statistics that were read are used, in milliseconds: the server itself renews them by and by. */
const FRESH_MS = 60_000;

type TermStatistics = { lessons: number; shares: ReadonlyMap<string, number> };
type Known = { at: number; statistics: Promise<TermStatistics> };
const known = new WeakMap<Database, Known>();

const statisticsRow = z.object({
  lessons: z.number(),
  words: z.array(z.string()).nullable(),
  shares: z.array(z.number()).nullable(),
});

// Of the column's frequencies the ones behind the words' own are their bounds.
const STATISTICS = `
  SELECT greatest(c.reltuples, 0)::float8 AS lessons, s.most_common_elems::text::text[] AS words, s.most_common_elem_freqs AS shares
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  LEFT JOIN pg_stats s ON s.schemaname = n.nspname AND s.tablename = c.relname AND s.attname = 'search'
  WHERE c.oid = 'lessons'::regclass`;

/**
 * How common words are among the lessons, as PostgreSQL's own statistics say: the share of lessons (0 to 1) that hold each of the
 * up to 1,000 most common ones. Empty before the table was analysed for the first time, which autovacuum does once it has grown.
 */
export function termStatistics(database: Database): Promise<TermStatistics> {
  const now = performance.now();
  const last = known.get(database);
  if (last !== undefined && now - last.at < FRESH_MS) return last.statistics;
  const statistics = readStatistics(database).catch((error: unknown) => {
    known.delete(database);
    throw error;
  });
  known.set(database, { at: now, statistics });
  return statistics;
}

async function readStatistics(database: Database): Promise<TermStatistics> {
  const { rows } = await database.pool.query<Record<string, unknown>>(STATISTICS);
  const { lessons, words, shares } = statisticsRow.parse(rows[0]);
  return {
    lessons,
    shares: new Map((words ?? []).map((word, position) => [word, shares?.[position] ?? 0])),
  };
}
