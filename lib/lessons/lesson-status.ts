import { countAssigned } from '#lib/assignments/queries.ts';
import type { LessonCounts, LessonStatus } from '#lib/core/lesson-schema.ts';
import { isUnchanged, type Mark, markChanges } from '#lib/database/changes.ts';
import type { Database, DatabaseClient } from '#lib/database/database.ts';
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

/** Counts lessons that were merged into another one, by their index. */
export function countMergedLessons({ prisma }: Client): Promise<number> {
  return prisma.lesson.count({ where: { mergedIntoId: { not: null } } });
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

type Known = { mark: Mark; answer: Promise<boolean> };
const known = new WeakMap<Database, Known>();

/**
 * Returns true if there may be lessons for other runs. Cached in this process, because every step of every run calls it. It only saves
 * unnecessary searches. The lessons themselves are always read from the database, so a retired lesson is never recalled.
 */
export function hasPromotedLessons(database: Database): Promise<boolean> {
  const last = known.get(database);
  if (last !== undefined && isUnchanged(database, last.mark, ['lessons'])) return last.answer;
  const mark = markChanges(database);
  const answer = queryHasPromotedLessons(database).catch((error: unknown) => {
    known.delete(database);
    throw error;
  });
  known.set(database, { mark, answer });
  return answer;
}

/** Updates the cache with a value that was read in another query after `mark`. */
export function cacheHasPromotedLessons(database: Database, mark: Mark, answer: boolean): void {
  known.set(database, { mark, answer: Promise.resolve(answer) });
}

/** SQL condition, for use in other queries. */
export const HAS_PROMOTED_LESSONS = `EXISTS (SELECT 1 FROM lessons WHERE status = 'promoted' AND merged_into_id IS NULL)`;

async function queryHasPromotedLessons(database: Database): Promise<boolean> {
  const where = { status: 'promoted', mergedIntoId: null };
  return (await database.prisma.lesson.findFirst({ where, select: { id: true } })) !== null;
}

/** Returns the ids that belong to no lesson. */
export async function missingLessons(database: Database, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const found = await database.prisma.lesson.findMany({ where: { id: { in: ids } }, select: { id: true } });
  const known = new Set(found.map(({ id }) => id));
  return ids.filter((id) => !known.has(id.toLowerCase()));
}

/** Returns the state of those of these lessons that no person has promoted, by id: their status, or that the screening holds them. */
export async function unpromotedLessons(
  { prisma }: DatabaseClient,
  ids: string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const found = await prisma.lesson.findMany({
    where: { id: { in: ids }, NOT: { status: 'promoted', mergedIntoId: null } },
    select: { id: true, status: true, admission: true },
  });
  return new Map(
    found.map(({ id, status, admission }) => [id, admission === 'held' ? 'held by the screening' : status]),
  );
}
