import { ENTRIES } from '#lib/auth/entries.test-support.ts';
import { EDITOR_ROWS } from './editor-rows.ts';
import { OPEN_ROWS } from './open-rows.ts';
import { OWNER_ROWS } from './owner-rows.ts';
import { REVIEWER_ROWS } from './reviewer-rows.ts';
import { ROUTE_ROWS } from './route-rows.ts';
import type { From, Row } from './row.ts';
import { VIEWER_ROWS } from './viewer-rows.ts';

/**
 * Access by entry. The roles of pages and actions are repeated here, so that a change in the code fails the test. The roles of routes come
 * from their definitions.
 */
export const ROWS: readonly { name: string; from: From; row: Row }[] = [
  ...rowsOf('public', OPEN_ROWS),
  ...rowsOf('viewer', VIEWER_ROWS),
  ...rowsOf('reviewer', REVIEWER_ROWS),
  ...rowsOf('editor', EDITOR_ROWS),
  ...rowsOf('owner', OWNER_ROWS),
  ...ENTRIES.filter(({ kind }) => kind === 'route').map(({ name, role }) => ({
    name,
    from: role,
    row: ROUTE_ROWS[name] ?? {},
  })),
];

function rowsOf(from: From, rows: Record<string, Row>): { name: string; from: From; row: Row }[] {
  return Object.entries(rows).map(([name, row]) => ({ name, from, row }));
}
