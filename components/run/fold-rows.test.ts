import { expect, test } from 'vitest';
import type { DiffRow } from './diff-rows.ts';
import { foldRows } from './fold-rows.ts';

const middle = { first: false, last: false };

test.each([
  { name: 'between changes', count: 9, place: middle, expected: [2, 5, 2] },
  { name: 'too few to fold', count: 6, place: middle, expected: [6, 0, 0] },
  { name: 'just enough to fold', count: 7, place: middle, expected: [2, 3, 2] },
  { name: 'at the start', count: 6, place: { first: true, last: false }, expected: [0, 4, 2] },
  { name: 'at the end', count: 6, place: { first: false, last: true }, expected: [2, 4, 0] },
  { name: 'no change at all', count: 6, place: { first: true, last: true }, expected: [0, 6, 0] },
])('$name: $count lines', ({ count, place, expected }) => {
  const rows: DiffRow[] = Array.from({ length: count }, (_, index) => ({
    before: { line: index + 1, pieces: [] },
    after: null,
  }));
  const { head, folded, tail } = foldRows(rows, place);
  expect([head.length, folded.length, tail.length]).toEqual(expected);
  expect([...head, ...folded, ...tail]).toEqual(rows);
});
