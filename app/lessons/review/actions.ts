'use server';

import type { Result } from '#lib/reflection/problem.ts';
import { reviewLesson } from '#lib/runs/lessons/review-lesson.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { defineAction } from '#lib/team/define-action.ts';

/** Stores a verdict from the queue. Nothing is drawn anew on the server for it: the queue knows by itself what is left. */
export const reviewFromQueueAction = defineAction(
  'reviewFromQueueAction',
  { role: 'reviewer', audit: 'reviewed' },
  async (actor, lessonId: string, input: unknown): Promise<Result<unknown>> => {
    return reviewLesson(await getWorkshop(), actor, lessonId, input);
  },
);
