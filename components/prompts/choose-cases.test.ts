import { expect, test } from 'vitest';
import { type CaseChoice, chooseCases, tagsOf } from './choose-cases.ts';

const cases = [
  { position: 0, split: 'train' as const, tags: ['mail'] },
  { position: 1, split: 'held_out' as const, tags: ['mail'] },
  { position: 2, split: 'validation' as const, tags: [] },
  { position: 3, split: 'train' as const, tags: ['chat', 'mail'] },
];
const usual: CaseChoice = { part: 'tuned', tag: null, onlyWrong: false, limit: null };

test.each<[string, Partial<CaseChoice>, number[], number]>([
  ['all cases except held-out ones by default', {}, [0, 2, 3], 3],
  ['all cases', { part: 'all' }, [0, 1, 2, 3], 4],
  ['training cases', { part: 'train' }, [0, 3], 2],
  ['validation cases', { part: 'validation' }, [2], 1],
  ['held-out cases', { part: 'held_out' }, [1], 1],
  ['cases with a tag', { tag: 'mail' }, [0, 3], 2],
  ['an unused tag', { tag: 'fax' }, [], 0],
  ['only failed cases', { onlyWrong: true }, [3], 1],
  ['the first two cases', { limit: 2 }, [0, 2], 3],
  ['fewer cases than the limit', { part: 'validation', limit: 20 }, [2], 1],
])('%s', (_name, choice, positions, outOf) => {
  const found = chooseCases(cases, { ...usual, ...choice }, (position) => position === 3);
  expect(found.chosen.map(({ position }) => position)).toEqual(positions);
  expect(found.outOf).toBe(outOf);
});

test('lists each tag once, sorted by name', () => {
  expect(tagsOf(cases)).toEqual(['chat', 'mail']);
});
