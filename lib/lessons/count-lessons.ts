import { z } from 'zod';
import { countAssigned } from '#lib/assignments/queries.ts';
import type { LessonCounts } from '#lib/core/lesson-library.ts';
import { LESSON_STATUSES } from '#lib/core/lesson-schema.ts';
import type { Database, Queryable } from '#lib/database/database.ts';

const COUNTS = `
  SELECT status, sum(lessons)::int AS count, sum(review)::int AS review, sum(refuted)::int AS refuted
  FROM lesson_totals GROUP BY status HAVING sum(lessons) > 0`;

const row = z.object({ status: z.enum(LESSON_STATUSES), count: z.int(), review: z.int(), refuted: z.int() });

/** How many lessons there are of each status, wait for a review, or are proposed for retirement. */
export async function countLessons({ pool }: { pool: Queryable }): Promise<LessonCounts> {
  const { rows } = await pool.query<Record<string, unknown>>({ name: 'count-lessons', text: COUNTS });
  const counts: LessonCounts = {
    candidate: 0,
    quarantined: 0,
    promoted: 0,
    rejected: 0,
    archived: 0,
    review: 0,
    refuted: 0,
  };
  for (const { status, count, review, refuted } of z.array(row).parse(rows)) {
    counts[status] = count;
    counts.review += review;
    counts.refuted += refuted;
  }
  return counts;
}

const HELD = `
  SELECT count(*)::int AS held FROM lessons WHERE admission = 'held' AND status IN ('candidate', 'quarantined')`;

/**
 * How many lessons wait for a review: all, those the screening found something in, those it did not, and those `personId` was asked to
 * look at.
 */
export async function countReviews(
  database: Pick<Database, 'pool' | 'prisma'>,
  personId: string,
): Promise<{ all: number; held: number; clear: number; assigned: number }> {
  const [{ review }, { rows }, { lessons }] = await Promise.all([
    countLessons(database),
    database.pool.query<{ held: number }>({ name: 'count-held-lessons', text: HELD }),
    countAssigned(database, personId),
  ]);
  const held = rows[0]?.held ?? 0;
  return { all: review, held, clear: Math.max(0, review - held), assigned: lessons };
}

/** Nobody reviews more than this at once: they are counted no further. */
const MOST_TO_REVIEW = 10_000;

const TO_REVIEW = 'SELECT coalesce(sum(review), 0)::int AS count FROM lesson_totals';

/** How many lessons wait for a review, for the navigation; 10,000 and more are not told apart. */
export async function countLessonsToReview({ pool }: { pool: Queryable }): Promise<number> {
  const { rows } = await pool.query<{ count: number }>({ name: 'count-lessons-to-review', text: TO_REVIEW });
  return Math.min(rows[0]?.count ?? 0, MOST_TO_REVIEW);
}

/** A number of `pg_try_advisory_xact_lock`: one process merges at a time. */
const MERGING_LOCK = 72_707_372;
/** Rows of changes that are left as they are: reading them costs nothing. */
export const FEW_CHANGES = 50;

const MERGE = `
  WITH taken AS (
    DELETE FROM lesson_totals WHERE (SELECT count(*) FROM lesson_totals) > ${FEW_CHANGES} AND (SELECT pg_try_advisory_xact_lock(${MERGING_LOCK}))
    RETURNING *)
  INSERT INTO lesson_totals (status, lessons, review, refuted)
  SELECT status, sum(lessons), sum(review), sum(refuted) FROM taken GROUP BY status HAVING sum(lessons) <> 0`;

/** Merges what changes of lessons have left among the totals, so that counting stays cheap. */
export async function mergeLessonTotals({ pool }: { pool: Queryable }): Promise<void> {
  await pool.query({ name: 'merge-lesson-totals', text: MERGE });
}
