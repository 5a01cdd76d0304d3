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
  ['all but the held-out ones without a word', {}, [0, 2, 3], 3],
  ['every case', { part: 'all' }, [0, 1, 2, 3], 4],
  ['training', { part: 'train' }, [0, 3], 2],
  ['validation', { part: 'validation' }, [2], 1],
  ['held out', { part: 'held_out' }, [1], 1],
  ['with a tag', { tag: 'mail' }, [0, 3], 2],
  ['with a tag nobody has', { tag: 'fax' }, [], 0],
  ['only wrong ones', { onlyWrong: true }, [3], 1],
  ['the first two', { limit: 2 }, [0, 2], 3],
  ['fewer than the limit', { part: 'validation', limit: 20 }, [2], 1],
])('%s', (_name, choice, positions, outOf) => {
  const found = chooseCases(cases, { ...usual, ...choice }, (position) => position === 3);
  expect(found.chosen.map(({ position }) => position)).toEqual(positions);
  expect(found.outOf).toBe(outOf);
});

test('lists each tag once, sorted by name', () => {
  expect(tagsOf(cases)).toEqual(['chat', 'mail']);
});
