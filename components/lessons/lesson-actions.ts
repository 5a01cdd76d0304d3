import type { Result } from '#lib/core/problem.ts';

/** What can be done with a lesson; each answers once it is stored, or why it is not. */
export type LessonActions = {
  review: (lessonId: string, input: unknown) => Promise<Result<unknown>>;
  edit: (lessonId: string, input: unknown) => Promise<Result<unknown>>;
  comment: (lessonId: string, input: unknown) => Promise<Result<unknown>>;
  screen: (lessonId: string) => Promise<Result<unknown>>;
  remove: (lessonId: string) => Promise<Result<unknown>>;
};
