'use server';

import { defineAction } from '#lib/auth/define-action.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { reviewLesson } from '#lib/lessons/review-lesson.ts';

/** Submits a review decision from the queue. Does not revalidate the page, because the queue tracks its own remaining items. */
export const reviewFromQueueAction = defineAction(
  'reviewFromQueueAction',
  { role: 'reviewer', id: 'lesson', audit: 'reviewed' },
  async (actor, lessonId: string, input: unknown) => reviewLesson(await getAppContext(), actor, lessonId, input),
);
