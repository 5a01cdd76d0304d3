import type { Row } from './row.ts';
import { ABSENT } from './staged-ids.ts';

const STOP = { decision: 'stop' };
const NOTE = { text: 'Written by somebody who may not.' };
const PROMOTE = { verdict: 'promote', editCount: 0 };

/** Entries that require the reviewer role: decide, score, add notes, comment, review. */
export const REVIEWER_ROWS: Record<string, Row> = {
  'page /experiments/{id}/blind': {},
  'page /lessons/recall': {},
  'action commentLessonAction': { args: ({ lessons }) => [lessons, NOTE] },
  'action decideFromInboxAction': { args: ({ runs }) => [runs, STOP] },
  'action decideOnRunAction': { args: ({ runs }) => [runs, STOP] },
  'action editLessonAction': { args: ({ lessons }) => [lessons, { editCount: 0, text: NOTE.text }] },
  'action keepViewAction': { args: () => [{ page: 'experiments', name: 'x'.repeat(99), query: '' }] },
  'action removeKeptViewAction': { args: () => [ABSENT.runs] },
  'action reviewFromQueueAction': { args: ({ lessons }) => [lessons, PROMOTE] },
  'action reviewLessonAction': { args: ({ lessons }) => [lessons, PROMOTE] },
  'action screenLessonAction': { args: ({ lessons }) => [lessons] },
  'action stopTheRunAction': { args: ({ runs }) => [runs] },
  'action tryRecallAction': { args: () => [{}] },
};
