import type { DiffRow } from './diff-rows.ts';

/** Unchanged lines: those shown before the fold, those folded away, those shown after it. */
export type FoldedRows = { head: DiffRow[]; folded: DiffRow[]; tail: DiffRow[] };

/**
 * Folds a block of unchanged lines, keeping `context` lines beside each change. At the start and the end of a text only the
 * side towards the change is kept. A fold that would hide fewer than three lines hides nothing.
 */
export function foldRows(rows: DiffRow[], place: { first: boolean; last: boolean }, context = 2): FoldedRows {
  const headLength = place.first ? 0 : context;
  const tailLength = place.last ? 0 : context;
  if (rows.length - headLength - tailLength < 3) return { head: rows, folded: [], tail: [] };
  return {
    head: rows.slice(0, headLength),
    folded: rows.slice(headLength, rows.length - tailLength),
    tail: rows.slice(rows.length - tailLength),
  };
}
