import { EDITOR_ROWS } from './editor-rows.ts';
import { OPEN_ROWS } from './open-rows.ts';
import { OWNER_ROWS } from './owner-rows.ts';
import { REVIEWER_ROWS } from './reviewer-rows.ts';
import type { From, Row } from './row.ts';
import { VIEWER_ROWS } from './viewer-rows.ts';

/** Who may go in where, as the product promises it: written by hand, so that a role that is changed in the code is noticed. */
export const ROWS: readonly { name: string; from: From; row: Row }[] = [
  ...rowsOf('nobody', OPEN_ROWS),
  ...rowsOf('viewer', VIEWER_ROWS),
  ...rowsOf('reviewer', REVIEWER_ROWS),
  ...rowsOf('editor', EDITOR_ROWS),
  ...rowsOf('owner', OWNER_ROWS),
];

function rowsOf(from: From, rows: Record<string, Row>): { name: string; from: From; row: Row }[] {
  return Object.entries(rows).map(([name, row]) => ({ name, from, row }));
}
