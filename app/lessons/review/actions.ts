'use server';

import type { Result } from '#lib/reflection/problem.ts';
import { reviewLesson } from '#lib/runs/lessons/review-lesson.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';

/** Stores a verdict from the queue. Nothing is drawn anew on the server for it: the queue knows by itself what is left. */
export async function reviewFromQueue(lessonId: string, input: unknown): Promise<Result<unknown>> {
  const actor = await authorize({ name: 'action reviewFromQueue', role: 'reviewer' });
  return reviewLesson(await getWorkshop(), actor, lessonId, input);
}
