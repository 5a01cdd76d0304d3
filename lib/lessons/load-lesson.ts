import { z } from 'zod';
import { CONTRIBUTION_KINDS } from '#lib/audit/contributions.ts';
import { LESSON_ADMISSIONS, type LessonCheck } from '#lib/core/lesson-library.ts';
import { LESSON_KINDS, LESSON_STATUSES } from '#lib/core/lesson-schema.ts';
import type { Prisma } from '#lib/database/generated/client.ts';
import { lockRow } from '#lib/database/locks.ts';
import { cleanJson } from '#lib/database/query-values.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import { lessonCheckSchema } from './schema.ts';

/** A lesson as those need it who change it. `editors`: who made each edit, in their order. */
export type LoadedLesson = NonNullable<Awaited<ReturnType<typeof loadLesson>>>;

/** The form of a lesson as it is stored. */
export const fieldsSchema = z.record(z.string(), z.string());

/** A check that has no number yet. */
export type NewCheck = LessonCheck extends infer Check
  ? Check extends LessonCheck
    ? Omit<Check, 'number'>
    : never
  : never;

/** The rows of further checks of a lesson, numbered from `first`. */
export function checkRows(
  lessonId: string,
  first: number,
  checks: readonly NewCheck[],
): Prisma.LessonCheckCreateManyInput[] {
  return checks.map(({ edit, kind, outcome, createdAt, ...result }, position) => {
    return { lessonId, number: first + position, edit, kind, outcome, createdAt, result: cleanJson(result) };
  });
}

/** Keeps further checks of a lesson whose row the caller has locked; `first` is the number of checks it has. */
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

/** Edits, checks and reviews in their order. */
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

/** Reads a lesson to change it; null when there is no such lesson. `lock`, inside a transaction, keeps all others from changing it. */
export async function loadLesson(client: Transaction, lessonId: string, { lock }: { lock: boolean }) {
  // Only once the lock is held do the tables say how things stand.
  if (lock && !(await lockRow(client, 'lessons', lessonId))) return null;
  const found = await client.lesson.findUnique({ where: { id: lessonId }, select: STATE });
  if (found === null) return null;
  const { agent, taskType, tools, reviewedAt, ...row } = found;
  // One after the other: a transaction has one connection, and Prisma reads several relations at the same time.
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
