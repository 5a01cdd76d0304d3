import type { Row } from './row.ts';
import { ABSENT } from './staged-ids.ts';

/** Entries that require the reviewer role: decide, score, add notes, comment, review. */
export const REVIEWER_ROWS: Record<string, Row> = {
  'page /experiments/{id}/blind': {},
  'page /lessons/recall': {},
  'action keepViewAction': { args: () => [{ page: 'experiments', name: 'x'.repeat(99), query: '' }] },
  'action removeKeptViewAction': { args: () => [ABSENT.runs] },
};
