'use server';

import { defineAction } from '#lib/auth/define-action.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { LessonComment } from '#lib/core/lesson-library.ts';
import type { Result } from '#lib/core/problem.ts';
import { addLesson } from '#lib/lessons/add-lesson.ts';
import { requestScreening } from '#lib/lessons/admit-lessons.ts';
import { deleteLesson } from '#lib/lessons/delete-lesson.ts';
import { editLesson } from '#lib/lessons/edit-lesson.ts';
import { commentLesson } from '#lib/lessons/lesson-people.ts';
import { tryRecall } from '#lib/lessons/recall-lessons.ts';
import { type GivenReview, type ReviewedLesson, reviewLesson } from '#lib/lessons/review-lesson.ts';
import type { TriedRecall } from '#lib/lessons/schema.ts';
import { refreshPages } from '../refresh-pages.ts';

/** Submits a review decision on a lesson. Input: `lessonReviewSchema`. */
export const reviewLessonAction = defineAction(
  'reviewLessonAction',
  { role: 'reviewer', id: 'lesson', audit: 'reviewed' },
  async (actor, lessonId: string, input: unknown): Promise<Result<GivenReview>> =>
    refreshPages(await reviewLesson(await getAppContext(), actor, lessonId, input)),
);

/** Updates the text, fields or scope of a lesson. Input: `lessonEditSchema`. */
export const editLessonAction = defineAction(
  'editLessonAction',
  { role: 'reviewer', id: 'lesson', audit: 'changed' },
  async (actor, lessonId: string, input: unknown): Promise<Result<ReviewedLesson & { editCount: number }>> =>
    refreshPages(await editLesson(await getAppContext(), actor, lessonId, input)),
);

/** Adds a comment to a lesson. Input: `lessonCommentSchema`. */
export const commentLessonAction = defineAction(
  'commentLessonAction',
  { role: 'reviewer', id: 'lesson', audit: 'commented' },
  async (actor, lessonId: string, input: unknown): Promise<Result<LessonComment>> =>
    refreshPages(await commentLesson(await getAppContext(), actor, lessonId, input)),
);

/** Screens a staged lesson. */
export const screenLessonAction = defineAction(
  'screenLessonAction',
  { role: 'reviewer', id: 'lesson', limit: 'start', audit: 'requested' },
  async (actor, lessonId: string): Promise<Result<ReviewedLesson>> =>
    refreshPages(await requestScreening(await getAppContext(), actor, lessonId)),
);

/** Adds a handwritten lesson. Input: `lessonInputSchema`. */
export const addLessonAction = defineAction(
  'addLessonAction',
  { role: 'editor', audit: 'created' },
  async (actor, input: unknown): Promise<Result<{ id: string }>> =>
    refreshPages(await addLesson(await getAppContext(), actor, input)),
);

export const deleteLessonAction = defineAction(
  'deleteLessonAction',
  { role: 'editor', id: 'lesson', audit: 'deleted' },
  async (actor, lessonId: string): Promise<Result<unknown>> =>
    refreshPages(await deleteLesson(await getAppContext(), actor, lessonId)),
);

/** Previews the lessons a run would recall for an input. Input: `tryRecallInputSchema`. */
export const tryRecallAction = defineAction(
  'tryRecallAction',
  { role: 'reviewer', audit: { none: 'only looks: calls of models it may make are in the spend' } },
  async (actor, input: unknown): Promise<Result<TriedRecall>> => {
    return tryRecall(await getAppContext(), actor, input);
  },
);
