import type { LessonActions } from '#components/lessons/lesson-view.tsx';
import { commentLessonAction, editLessonAction, reviewLessonAction, screenLessonAction } from './actions.ts';

/** Server actions passed to the lesson pages. */
export const LESSON_ACTIONS: LessonActions = {
  review: reviewLessonAction,
  edit: editLessonAction,
  comment: commentLessonAction,
  screen: screenLessonAction,
};
