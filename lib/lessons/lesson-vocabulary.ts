import type { Database } from '#lib/database/database.ts';
import { termStatistics } from './term-statistics.ts';

/** Reading the vocabulary takes at most one part in so many of the time, and what was read is used a minute at most. */
const REST = 50;
const LONGEST_MS = 60_000;
/** Larger libraries are known by their most common words alone: reading all of them takes too long. */
const MOST_READ = 5_000;

type Known = { until: number; answer: Promise<ReadonlySet<string>> };
const known = new WeakMap<Database, Known>();

/** The stems that promoted lessons hold, as of a minute ago at most; of libraries of more than 5,000 lessons the up to 4,000 most common ones. */
export function lessonVocabulary(database: Database): Promise<ReadonlySet<string>> {
  const startedAt = performance.now();
  const last = known.get(database);
  if (last !== undefined && startedAt < last.until) return last.answer;
  const entry: Known = { until: Number.POSITIVE_INFINITY, answer: readVocabulary(database) };
  known.set(database, entry);
  entry.answer.then(
    () => {
      const now = performance.now();
      entry.until = now + Math.min(LONGEST_MS, (now - startedAt) * REST);
    },
    () => known.delete(database),
  );
  return entry.answer;
}

async function readVocabulary(database: Database): Promise<ReadonlySet<string>> {
  const counted = await database.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (SELECT 1 FROM lessons WHERE status = 'promoted' LIMIT ${MOST_READ + 1}) l`,
  );
  if ((counted.rows[0]?.count ?? 0) > MOST_READ) return new Set((await termStatistics(database)).shares.keys());
  const { rows } = await database.pool.query<{ words: string[] | null }>(
    `SELECT array_agg(word) AS words FROM ts_stat($$SELECT search FROM lessons WHERE status = 'promoted'$$)`,
  );
  return new Set(rows[0]?.words ?? []);
}
