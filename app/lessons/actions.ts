'use server';

import { revalidatePath } from 'next/cache';
import type { LessonComment } from '#lib/reflection/lesson-library.ts';
import type { Result } from '#lib/reflection/problem.ts';
import { addLesson } from '#lib/runs/lessons/add-lesson.ts';
import { commentLesson } from '#lib/runs/lessons/comment-lesson.ts';
import { deleteLesson } from '#lib/runs/lessons/delete-lesson.ts';
import { editLesson } from '#lib/runs/lessons/edit-lesson.ts';
import { requestScreening } from '#lib/runs/lessons/request-screening.ts';
import { type ReviewedLesson, reviewLesson } from '#lib/runs/lessons/review-lesson.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';

/** A verdict: `lessonReviewSchema`. */
export async function reviewLessonAction(lessonId: string, input: unknown): Promise<Result<ReviewedLesson>> {
  const actor = await authorize({ name: 'action reviewLessonAction', role: 'reviewer' });
  return shown(await reviewLesson(await getWorkshop(), actor, lessonId, input));
}

/** A change of text, fields or scope: `lessonEditSchema`. */
export async function editLessonAction(
  lessonId: string,
  input: unknown,
): Promise<Result<ReviewedLesson & { editCount: number }>> {
  const actor = await authorize({ name: 'action editLessonAction', role: 'reviewer' });
  return shown(await editLesson(await getWorkshop(), actor, lessonId, input));
}

/** A comment: `lessonCommentSchema`. */
export async function commentLessonAction(lessonId: string, input: unknown): Promise<Result<LessonComment>> {
  const actor = await authorize({ name: 'action commentLessonAction', role: 'reviewer' });
  return shown(await commentLesson(await getWorkshop(), actor, lessonId, input));
}

/** Screens a staged lesson. */
export async function screenLessonAction(lessonId: string): Promise<Result<ReviewedLesson>> {
  const actor = await authorize({ name: 'action screenLessonAction', role: 'reviewer' });
  return shown(await requestScreening(await getWorkshop(), actor, lessonId));
}

/** A lesson written by hand: `lessonInputSchema`. */
export async function addLessonAction(input: unknown): Promise<Result<{ id: string }>> {
  const actor = await authorize({ name: 'action addLessonAction', role: 'editor' });
  return shown(await addLesson(await getWorkshop(), actor, input));
}

export async function deleteLessonAction(lessonId: string): Promise<Result<unknown>> {
  const actor = await authorize({ name: 'action deleteLessonAction', role: 'editor' });
  return shown(await deleteLesson(await getWorkshop(), actor, lessonId));
}

/** Pages are drawn anew after what was stored. */
function shown<Value>(result: Result<Value>): Result<Value> {
  if (result.ok) revalidatePath('/', 'layout');
  return result;
}
