import type { LessonActions } from '#components/lessons/lesson-actions.ts';
import {
  commentLessonAction,
  deleteLessonAction,
  editLessonAction,
  reviewLessonAction,
  screenLessonAction,
} from './actions.ts';

/** The server's actions that the pages of lessons are given. */
export const LESSON_ACTIONS: LessonActions = {
  review: reviewLessonAction,
  edit: editLessonAction,
  comment: commentLessonAction,
  screen: screenLessonAction,
  remove: deleteLessonAction,
};
