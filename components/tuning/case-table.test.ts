import { expect, test } from 'vitest';
import { type CaseFilter, shownCases } from './case-table.tsx';
import { readGrid } from './tuning-grid.ts';

const grid = readGrid({
  positions: [0, 1, 2, 3, 4, 5],
  splits: 'ttvvht',
  titles: ['case 0', 'case 1', 'case 2', 'case 3', 'case 4', 'case 5'],
  columns: [
    { version: 0, scores: [0, 1, 0.9, 0.2, 1, 0], marks: 'x++x+x' },
    { version: 1, scores: [1, 0.3, 1, 0.1, 1, null], marks: '+x*x+x' },
    { version: 2, scores: [1], marks: '+-----' },
  ],
  weights: [],
  leaders: [[2, 1, 1]],
  leads: [[1, 1]],
  isPart: false,
});
const all: CaseFilter = { split: 'all', change: 'any', selected: 1, parent: 0 };

test('classifies the change of each case; fixed and broken cases cross the pass threshold', () => {
  expect(shownCases(grid, all).map(({ change }) => change)).toEqual([
    'fixed',
    'broken',
    'better',
    'worse',
    'same',
    null,
  ]);
});

test.each<{ name: string; filter: Partial<CaseFilter>; shown: number[] }>([
  { name: 'a split', filter: { split: 'validation' }, shown: [2, 3] },
  { name: 'higher scores', filter: { change: 'up' }, shown: [0, 2] },
  { name: 'lower scores among the training cases', filter: { change: 'down', split: 'train' }, shown: [1] },
  { name: 'only tested cases', filter: { change: 'up', selected: 2 }, shown: [0] },
  { name: 'no cases without a parent', filter: { change: 'up', parent: null }, shown: [] },
])('$name', ({ filter, shown }) => {
  expect(shownCases(grid, { ...all, ...filter }).map(({ position }) => position)).toEqual(shown);
});
