import { expect, test } from 'vitest';
import { lineageRows, linesOfRows } from './lineage-rows.ts';
import { summaryOf } from './summary-of.test-support.ts';

const treeOf = (parents: number[][], best: number | null) =>
  lineageRows(summaryOf(parents.map((of) => ({ parents: of }))).versions, best);

test('places each prompt below its first parent; the path to the best one is last and keeps its lane', () => {
  const rows = treeOf([[], [0], [0], [1], [2], [2]], 5);
  expect(rows.map(({ version, depth, lane, turns }) => [version.number, depth, lane, turns])).toEqual([
    [0, 0, 0, false],
    [1, 1, 1, true],
    [3, 2, 1, false],
    [2, 1, 0, false],
    [4, 2, 1, true],
    [5, 2, 0, false],
  ]);
  expect(rows.flatMap(({ version, isOnWay }) => (isOnWay ? [version.number] : []))).toEqual([0, 2, 5]);
  expect(rows.map(({ parentRow, firstChild }) => [parentRow, firstChild])).toEqual([
    [null, 1],
    [0, 3],
    [1, null],
    [0, 4],
    [3, null],
    [3, null],
  ]);
});

test('without a best prompt, the child with the most descendants keeps the lane', () => {
  const rows = treeOf([[], [0], [0], [2]], null);
  expect(rows.map(({ version, lane }) => [version.number, lane])).toEqual([
    [0, 0],
    [1, 1],
    [2, 0],
    [3, 0],
  ]);
});

test('a chain of 2,000 prompts stays in one lane', () => {
  const rows = treeOf(
    Array.from({ length: 2_000 }, (_, at) => (at === 0 ? [] : [at - 1])),
    1_999,
  );
  expect(rows).toHaveLength(2_000);
  expect(Math.max(...rows.map(({ lane }) => lane))).toBe(0);
});

test('a prompt with a missing parent is a root', () => {
  expect(treeOf([[], [7]], null).map(({ version, depth, parentRow }) => [version.number, depth, parentRow])).toEqual([
    [0, 0, null],
    [1, 0, null],
  ]);
});

test('the line to the best prompt passes the rows of sibling branches', () => {
  const lines = linesOfRows(treeOf([[], [0], [0], [1]], 2));
  expect(lines.map(({ passing, below }) => [passing, below])).toEqual([
    [[], { isOnWay: true }],
    [[{ lane: 0, isOnWay: true }], { isOnWay: false }],
    [[{ lane: 0, isOnWay: true }], null],
    [[], null],
  ]);
});

test('draws a line to the second parent of a merge; overlapping lines get separate columns', () => {
  const rows = treeOf([[], [0], [0], [1, 2], [2, 1]], null);
  const lines = linesOfRows(rows);
  const drawn = rows.flatMap(({ version }, row) =>
    (lines[row]?.merges ?? []).map(({ column, part, isSecondParent }) => [
      version.number,
      column,
      part,
      isSecondParent,
    ]),
  );
  expect(drawn).toEqual([
    [2, 0, 'begins', true],
    [4, 0, 'passing', false],
    [4, 1, 'begins', false],
    [1, 0, 'passing', false],
    [1, 1, 'ends', true],
    [3, 0, 'ends', false],
  ]);
});
