import { z } from 'zod';
import { REFUTING_HARMS } from '#lib/reflection/is-refuted.ts';
import { LESSON_STATUSES } from '#lib/reflection/lesson-kinds.ts';
import type { LessonCounts } from '#lib/reflection/lesson-library.ts';
import type { Database } from './database.ts';

const COUNTS = `
  SELECT status, count(*)::int AS count,
    count(*) FILTER (WHERE status = 'quarantined' OR (status = 'candidate' AND admission = 'held'))::int AS review,
    count(*) FILTER (WHERE status = 'promoted' AND harmful >= ${REFUTING_HARMS} AND harmful > helpful)::int AS refuted
  FROM lessons GROUP BY status`;

const row = z.object({ status: z.enum(LESSON_STATUSES), count: z.int(), review: z.int(), refuted: z.int() });

/** How many lessons there are of each status, wait for a review, or are proposed for retirement. */
export async function countLessons({ pool }: Pick<Database, 'pool'>): Promise<LessonCounts> {
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

/** Nobody reviews more than this at once: they are counted no further. */
const MOST_TO_REVIEW = 10_000;

const TO_REVIEW = `
  SELECT (SELECT count(*)::int FROM (SELECT 1 FROM lessons WHERE status = 'quarantined' LIMIT ${MOST_TO_REVIEW}) q)
    + (SELECT count(*)::int FROM (SELECT 1 FROM lessons WHERE admission = 'held' AND status = 'candidate' LIMIT ${MOST_TO_REVIEW}) h) AS count`;

/** How many lessons wait for a review, for the navigation; 10,000 and more are not told apart. */
export async function countLessonsToReview({ pool }: Pick<Database, 'pool'>): Promise<number> {
  const { rows } = await pool.query<{ count: number }>({ name: 'count-lessons-to-review', text: TO_REVIEW });
  return Math.min(rows[0]?.count ?? 0, MOST_TO_REVIEW);
}
