import { countAssigned } from '#lib/assignments/queries.ts';
import type { LessonCounts } from '#lib/core/lesson-library.ts';
import type { LessonStatus } from '#lib/core/lesson-schema.ts';
import type { Database } from '#lib/database/database.ts';
import type { Transaction } from '#lib/database/transactions.ts';

type Client = { prisma: Transaction };

/** Counts lessons by status, those waiting for review, and those proposed for retirement. */
export async function countLessons({ prisma }: Client): Promise<LessonCounts> {
  const sums = await prisma.lessonTotal.groupBy({
    by: ['status'],
    _sum: { lessons: true, review: true, refuted: true },
  });
  const sumOf = (part: 'review' | 'refuted') => sums.reduce((sum, { _sum }) => sum + Number(_sum[part]), 0);
  const countOf = (status: LessonStatus) => Number(sums.find((sum) => sum.status === status)?._sum.lessons ?? 0);
  return {
    candidate: countOf('candidate'),
    quarantined: countOf('quarantined'),
    promoted: countOf('promoted'),
    rejected: countOf('rejected'),
    archived: countOf('archived'),
    review: sumOf('review'),
    refuted: sumOf('refuted'),
  };
}

/** Counts lessons waiting for review: all, those with screening findings, those without, and those assigned to `personId`. */
export async function countReviews(
  database: Database,
  personId: string,
): Promise<{ all: number; held: number; clear: number; assigned: number }> {
  const [{ review }, held, { lessons }] = await Promise.all([
    countLessons(database),
    database.prisma.lesson.count({ where: { admission: 'held', status: { in: ['candidate', 'quarantined'] } } }),
    countAssigned(database, personId),
  ]);
  return { all: review, held, clear: Math.max(0, review - held), assigned: lessons };
}

/** Maximum count. Nobody reviews more than this at once. */
const MAX_REVIEW_COUNT = 10_000;

/** Counts lessons waiting for review for the navigation, up to 10,000. */
export async function countLessonsToReview({ prisma }: Client): Promise<number> {
  const { _sum } = await prisma.lessonTotal.aggregate({ _sum: { review: true } });
  return Math.min(Number(_sum.review ?? 0), MAX_REVIEW_COUNT);
}
