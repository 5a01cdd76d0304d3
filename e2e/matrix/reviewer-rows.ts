import type { Row } from './row.ts';
import { ABSENT } from './staged-ids.ts';

const STOP = { decision: 'stop' };
const NOTE = { text: 'Written by somebody who may not.' };
const PROMOTE = { verdict: 'promote', editCount: 0 };
const WINDOW = '11111111-1111-4111-8111-111111111111';

/** What those may do who judge: decide, score, note, comment, review. */
export const REVIEWER_ROWS: Record<string, Row> = {
  'page /experiments/{id}/blind': {},
  'page /lessons/recall': {},
  'action addNoteAction': { args: ({ runs }) => ['run', runs, NOTE.text] },
  'action commentLessonAction': { args: ({ lessons }) => [lessons, NOTE] },
  'action decideFromInbox': { args: ({ runs }) => [runs, STOP] },
  'action decideOnRun': { args: ({ runs }) => [runs, STOP] },
  'action deleteNoteAction': { args: ({ runs, notes }) => [`/runs/${runs}`, notes] },
  'action editLessonAction': { args: ({ lessons }) => [lessons, { editCount: 0, text: NOTE.text }] },
  'action editNoteAction': { args: ({ runs, notes }) => [`/runs/${runs}`, notes, NOTE.text] },
  'action keepView': { args: () => [{ page: 'experiments', name: 'x'.repeat(99), query: '' }] },
  'action removeKeptView': { args: () => [ABSENT.runs] },
  'action reviewFromQueue': { args: ({ lessons }) => [lessons, PROMOTE] },
  'action reviewLessonAction': { args: ({ lessons }) => [lessons, PROMOTE] },
  'action screenLessonAction': { args: ({ lessons }) => [lessons] },
  'action stopTheRun': { args: ({ runs }) => [runs] },
  'action tryRecallAction': { args: () => [{}] },
  'DELETE /api/mcp': { tokenNeeded: true },
  'POST /api/mcp': { tokenNeeded: true },
  'DELETE /api/v1/notes/{id}': {},
  'DELETE /api/v1/runs/{id}/claim': { query: () => `window=${WINDOW}` },
  'GET /api/v1/experiments/{id}/blind-pairs': {},
  'PATCH /api/v1/lessons/{id}': { body: () => ({ editCount: 0, text: NOTE.text }) },
  'PATCH /api/v1/notes/{id}': { body: () => NOTE },
  'POST /api/v1/experiments/{id}/notes': { body: () => NOTE },
  'POST /api/v1/experiments/{id}/preferences': {},
  'POST /api/v1/lessons/{id}/comments': { body: () => NOTE },
  'POST /api/v1/lessons/{id}/reviews': { body: () => PROMOTE },
  'POST /api/v1/lessons/{id}/screen': {},
  'POST /api/v1/lessons/recall': { body: () => ({ input: 'Explain a bicycle.' }) },
  'POST /api/v1/runs/{id}/claim': { body: () => ({ window: WINDOW }) },
  'POST /api/v1/runs/{id}/decisions': { body: () => STOP },
  'POST /api/v1/runs/{id}/notes': { body: () => NOTE },
  'POST /api/v1/runs/{id}/reflections': {},
  'POST /api/v1/runs/{id}/stop': {},
  'DELETE /api/v1/lessons/{id}/assignments/{memberId}': {},
  'DELETE /api/v1/lessons/{id}/comments/{commentId}': {},
  'DELETE /api/v1/runs/{id}/assignments/{memberId}': {},
  'PATCH /api/v1/lessons/{id}/comments/{commentId}': { body: () => NOTE },
  'POST /api/v1/lessons/{id}/assignments': { body: ({ members }) => ({ memberId: members }) },
  'POST /api/v1/lessons/{id}/opinions': { body: () => ({ verdict: 'promote' }) },
  'POST /api/v1/runs/{id}/assignments': { body: ({ members }) => ({ memberId: members }) },
};
