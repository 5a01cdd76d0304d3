import type { Database } from '#lib/database/database.ts';

/**
 * The inputs a lesson was learned from, and those of the lessons it speaks for: whole where the run is still there, else their
 * beginning (`isWhole` false), as it was kept.
 */
export async function lessonSources(
  database: Database,
  lessonId: string,
): Promise<{ input: string; isWhole: boolean }[]> {
  const { rows } = await database.pool.query<{ input: string; isWhole: boolean }>(
    `SELECT coalesce(r.input, l.source_input) AS input, r.input IS NOT NULL AS "isWhole"
     FROM lessons l LEFT JOIN runs r ON r.id = l.run_id
     WHERE (l.id = $1 OR l.merged_into_id = $1) AND coalesce(r.input, l.source_input) <> ''`,
    [lessonId],
  );
  return rows;
}
