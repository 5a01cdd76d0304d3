import { z } from 'zod';
import { CONTRIBUTION_KINDS } from '#lib/audit/queries.ts';
import { type LessonCheck, lessonCheckSchema } from '#lib/core/lesson-library.ts';
import { LESSON_ADMISSIONS, LESSON_KINDS, LESSON_STATUSES } from '#lib/core/lesson-schema.ts';
import type { Prisma } from '#lib/database/generated/client.ts';
import { lockRow } from '#lib/database/locks.ts';
import { cleanJson } from '#lib/database/query-values.ts';
import type { Transaction } from '#lib/database/transactions.ts';

/** A lesson with the data needed to change it. `editors`: the author of each edit, in order. */
export type LoadedLesson = NonNullable<Awaited<ReturnType<typeof loadLesson>>>;

/** Stored fields of a lesson. */
export const fieldsSchema = z.record(z.string(), z.string());

/** A check without a number. */
export type NewCheck = LessonCheck extends infer Check
  ? Check extends LessonCheck
    ? Omit<Check, 'number'>
    : never
  : never;

/** Returns the rows of additional checks of a lesson, numbered from `first`. */
export function checkRows(
  lessonId: string,
  first: number,
  checks: readonly NewCheck[],
): Prisma.LessonCheckCreateManyInput[] {
  return checks.map(({ edit, kind, outcome, createdAt, ...result }, position) => {
    return { lessonId, number: first + position, edit, kind, outcome, createdAt, result: cleanJson(result) };
  });
}

/** Stores additional checks of a lesson, whose row the caller has locked. `first` is its current number of checks. */
export async function addChecks(
  transaction: Transaction,
  lessonId: string,
  first: number,
  checks: readonly NewCheck[],
): Promise<void> {
  await transaction.lessonCheck.createMany({ data: checkRows(lessonId, first, checks) });
}

export function checkOf({ result, createdAt, ...row }: Prisma.LessonCheckGetPayload<object>): LessonCheck {
  return lessonCheckSchema.parse({ ...Object(result), ...row, createdAt: createdAt.toISOString() });
}

/** Sorts edits, checks and reviews by number. */
export const IN_ORDER = { orderBy: { number: 'asc' } } as const;

const stateSchema = z.object({
  kind: z.enum(LESSON_KINDS),
  status: z.enum(LESSON_STATUSES),
  admission: z.enum(LESSON_ADMISSIONS),
  fields: fieldsSchema,
  authors: z.record(z.string(), z.enum(CONTRIBUTION_KINDS)),
});

const STATE = {
  ...{ id: true, kind: true, status: true, admission: true, text: true, fields: true, block: true, runId: true },
  ...{ agent: true, taskType: true, tools: true, step: true, sourceInput: true, authorId: true, authors: true },
  ...{ mergedIntoId: true, reviewedBy: true, reviewedAt: true },
} as const;

/** Loads a lesson in order to change it. Null if it does not exist. `lock` requires a transaction and prevents concurrent changes. */
export async function loadLesson(client: Transaction, lessonId: string, { lock }: { lock: boolean }) {
  // Lock first, so that the following queries read the current state.
  if (lock && !(await lockRow(client, 'lessons', lessonId))) return null;
  const found = await client.lesson.findUnique({ where: { id: lessonId }, select: STATE });
  if (found === null) return null;
  const { agent, taskType, tools, reviewedAt, ...row } = found;
  // Sequential queries, because a transaction has one connection and Prisma loads several relations in parallel.
  const checks = await client.lessonCheck.findMany({ where: { lessonId }, ...IN_ORDER });
  const edits = await client.lessonEdit.findMany({
    ...{ where: { lessonId }, ...IN_ORDER },
    select: { actor: true, actorId: true },
  });
  const reviewCount = await client.lessonReview.count({ where: { lessonId } });
  return {
    ...row,
    ...stateSchema.parse(row),
    scope: { agent, taskType, tools },
    reviewedAt: reviewedAt?.toISOString() ?? null,
    editors: edits,
    editCount: edits.length,
    reviewCount,
    checks: checks.map(checkOf),
  };
}
