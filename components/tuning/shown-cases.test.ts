import { expect, test } from 'vitest';
import { lineageRows } from './lineage.tsx';
import { type CaseFilter, shownCases } from './shown-cases.ts';
import { summaryOf } from './summary-of.test-support.ts';
import type { GridCell, TuningGrid } from './tuning-grid.ts';

const good = (score: number): GridCell => ({ score, isGood: true });
const bad = (score: number): GridCell => ({ score, isGood: false });
const grid: TuningGrid = {
  cases: ['train', 'train', 'validation', 'validation', 'held_out', 'train'].map((split, position) => ({
    position,
    split: split === 'train' || split === 'validation' ? split : 'held_out',
    title: `case ${position}`,
  })),
  cells: {
    0: { 0: bad(0), 1: good(1), 2: good(0.9), 3: bad(0.2), 4: good(1), 5: bad(0) },
    1: { 0: good(1), 1: bad(0.3), 2: good(1), 3: bad(0.1), 4: good(1), 5: { score: null, isGood: false } },
  },
};
const all: CaseFilter = { split: 'all', change: 'any', selected: 1, parent: 0 };

test('what became of each case: fixed and broken cross the line of what is good', () => {
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
  { name: 'what went up', filter: { change: 'up' }, shown: [0, 2] },
  { name: 'what went down among the training cases', filter: { change: 'down', split: 'train' }, shown: [1] },
  { name: 'nothing where there is no parent', filter: { change: 'up', parent: null }, shown: [] },
])('$name', ({ filter, shown }) => {
  expect(shownCases(grid, { ...all, ...filter }).map(({ position }) => position)).toEqual(shown);
});

test('prompts stand under the one they were made from', () => {
  const { versions } = summaryOf([{}, { parents: [0] }, { parents: [0] }, { parents: [1] }, { parents: [2, 1] }]);
  expect(lineageRows(versions).map(({ version, depth }) => [version.number, depth])).toEqual([
    [0, 0],
    [1, 1],
    [3, 2],
    [2, 1],
    [4, 2],
  ]);
});
