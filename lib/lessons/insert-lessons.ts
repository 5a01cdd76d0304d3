import type { LessonAdmission, LessonFields, LessonScope } from '#lib/core/lesson-library.ts';
import type { LessonKind } from '#lib/core/lesson-schema.ts';
import { cleanJson } from '#lib/database/query-values.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import { checkRows, type NewCheck } from './load-lesson.ts';

/** A lesson that no run wrote, already redacted. */
export type NewLesson = {
  id: string;
  kind: LessonKind;
  admission: LessonAdmission;
  text: string;
  fields: LessonFields;
  scope: LessonScope;
  block: string;
  runId: string | null;
  version: number | null;
  sourceInput: string;
  sourceScore: number | null;
  createdBy: string;
  /** Who must not promote it, where others can. */
  authorId: string;
  createdAt: string;
  checks: NewCheck[];
};

/** Keeps lessons as candidates, with the checks they went through on the way in. */
export async function insertLessons(transaction: Transaction, lessons: readonly NewLesson[]): Promise<void> {
  await transaction.lesson.createMany({
    data: lessons.map(({ checks: _checks, scope, ...lesson }) => ({
      ...cleanJson({ ...lesson, ...scope }),
      status: 'candidate',
    })),
  });
  await transaction.lessonCheck.createMany({ data: lessons.flatMap(({ id, checks }) => checkRows(id, 0, checks)) });
}
