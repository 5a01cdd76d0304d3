'use server';

import { defineAction } from '#lib/auth/define-action.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { Result } from '#lib/core/problem.ts';
import { type GivenReview, reviewLesson } from '#lib/lessons/review-lesson.ts';

/** Stores a verdict from the queue. Nothing is drawn anew on the server for it: the queue knows by itself what is left. */
export const reviewFromQueueAction = defineAction(
  'reviewFromQueueAction',
  { role: 'reviewer', id: 'lesson', audit: 'reviewed' },
  async (actor, lessonId: string, input: unknown): Promise<Result<GivenReview>> => {
    return reviewLesson(await getAppContext(), actor, lessonId, input);
  },
);
