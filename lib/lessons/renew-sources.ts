import type { Database } from '#lib/database/database.ts';

/** A lesson is found by no more inputs than these of the lessons it speaks for, and looks at no more of those lessons. */
const MOST_INPUTS = 10;
const MOST_MERGED = 200;

/** $1 the lesson that speaks for others. Of a promoted one, those count that were merged into it before a person promoted it. */
const RENEW = `
  UPDATE lessons k SET also_from = coalesce((
    SELECT string_agg(s.input, ' ') FROM (
      SELECT DISTINCT m.input FROM (
        SELECT left(source_input, 200) AS input FROM lessons WHERE merged_into_id = k.id
          AND (k.status <> 'promoted' OR (SELECT max(created_at) FROM lesson_checks c
            WHERE c.lesson_id = lessons.id AND c.kind = 'merge' AND c.outcome = 'merged') <= k.reviewed_at)
        LIMIT ${MOST_MERGED}) m
      WHERE m.input NOT IN ('', left(k.source_input, 200)) LIMIT ${MOST_INPUTS}) s), '')
  WHERE k.id = $1`;

/**
 * Lets a lesson be found by the inputs that those were learned from which say the same: after one was merged into it, or left it. What is
 * merged into a promoted lesson lets it be found by no more until a person promotes it again: whoever repeats it must not decide where it
 * is recalled.
 */
export async function renewSources({ pool }: Pick<Database, 'pool'>, lessonId: string): Promise<void> {
  await pool.query(RENEW, [lessonId]);
}
