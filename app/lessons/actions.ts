'use server';

import { defineAction } from '#lib/auth/define-action.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { requestScreening } from '#lib/lessons/admit-lessons.ts';
import { editLesson } from '#lib/lessons/edit-lesson.ts';
import { commentLesson } from '#lib/lessons/lesson-people.ts';
import { tryRecall } from '#lib/lessons/recall-lessons.ts';
import { reviewLesson } from '#lib/lessons/review-lesson.ts';

/** Submits a review decision on a lesson. Input: `lessonReviewSchema`. */
export const reviewLessonAction = defineAction(
  'reviewLessonAction',
  { role: 'reviewer', id: 'lesson', audit: 'reviewed', refreshes: true },
  async (actor, lessonId: string, input: unknown) => reviewLesson(await getAppContext(), actor, lessonId, input),
);

/** Updates the text, fields or scope of a lesson. Input: `lessonEditSchema`. */
export const editLessonAction = defineAction(
  'editLessonAction',
  { role: 'reviewer', id: 'lesson', audit: 'changed' },
  async (actor, lessonId: string, input: unknown) => editLesson(await getAppContext(), actor, lessonId, input),
);

/** Adds a comment to a lesson. Input: `lessonCommentSchema`. */
export const commentLessonAction = defineAction(
  'commentLessonAction',
  { role: 'reviewer', id: 'lesson', audit: 'commented' },
  async (actor, lessonId: string, input: unknown) => commentLesson(await getAppContext(), actor, lessonId, input),
);

/** Screens a staged lesson. */
export const screenLessonAction = defineAction(
  'screenLessonAction',
  { role: 'reviewer', id: 'lesson', limit: 'start', audit: 'requested', refreshes: true },
  async (actor, lessonId: string) => requestScreening(await getAppContext(), actor, lessonId),
);

/** Previews the lessons a run would recall for an input. Input: `tryRecallInputSchema`. */
export const tryRecallAction = defineAction(
  'tryRecallAction',
  { role: 'reviewer', audit: { none: 'only looks: calls of models it may make are in the spend' } },
  async (actor, input: unknown) => tryRecall(await getAppContext(), actor, input),
);
