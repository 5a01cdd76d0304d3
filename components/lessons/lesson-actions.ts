import type { Result } from '#lib/core/problem.ts';
import type { GivenReview } from '#lib/lessons/review-lesson.ts';

/** What can be done with a lesson; each answers once it is stored, or why it is not. */
export type LessonActions = {
  review: (lessonId: string, input: unknown) => Promise<Result<GivenReview>>;
  edit: (lessonId: string, input: unknown) => Promise<Result<unknown>>;
  comment: (lessonId: string, input: unknown) => Promise<Result<unknown>>;
  screen: (lessonId: string) => Promise<Result<unknown>>;
  remove: (lessonId: string) => Promise<Result<unknown>>;
};
