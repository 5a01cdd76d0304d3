import type { Result } from '#lib/core/problem.ts';
import type { GivenReview } from '#lib/lessons/review-lesson.ts';

/** Actions on a lesson. Each resolves when it is stored, or with the error. */
export type LessonActions = {
  review: (lessonId: string, input: unknown) => Promise<Result<GivenReview>>;
  edit: (lessonId: string, input: unknown) => Promise<Result<unknown>>;
  comment: (lessonId: string, input: unknown) => Promise<Result<unknown>>;
  screen: (lessonId: string) => Promise<Result<unknown>>;
  remove: (lessonId: string) => Promise<Result<unknown>>;
};
