import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Case } from '#lib/core/case.ts';
import type { Split } from '#lib/core/history.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import { MAX_TUNING_CASES, splitCases, splitProblem } from './split-cases.ts';

const TUNE = settingsSchema.shape.tune.parse({});

function tagged(...tags: string[][]): Case[] {
  return tags.map((own, at) => ({ input: `input ${at}`, reference: null, tags: own, metadata: {} }));
}

function plain(count: number): Case[] {
  return tagged(...Array.from({ length: count }, () => []));
}

function countsOf(cases: Case[], changes: Partial<typeof TUNE> = {}): Record<Split, number> {
  const counts = { train: 0, validation: 0, held_out: 0 };
  for (const { split } of splitCases(cases, { ...TUNE, ...changes })) counts[split]++;
  return counts;
}

describe('split of untagged cases', () => {
  test.each<{ name: string; count: number; changes?: Partial<typeof TUNE>; counts: [number, number, number] }>([
    { name: 'by default', count: 28, counts: [13, 8, 7] },
    { name: 'a small dataset', count: 4, counts: [2, 1, 1] },
    {
      name: 'one case is a training case',
      count: 1,
      changes: { heldOutShare: 0.9, validationShare: 0.9 },
      counts: [1, 0, 0],
    },
    { name: 'one of two cases is a training case', count: 2, changes: { heldOutShare: 0.9 }, counts: [1, 0, 1] },
    { name: 'no held-out cases', count: 10, changes: { heldOutShare: 0 }, counts: [6, 4, 0] },
    { name: 'no validation cases', count: 8, changes: { validationShare: 0 }, counts: [6, 0, 2] },
    { name: 'no cases', count: 0, counts: [0, 0, 0] },
  ])('$name', ({ count, changes, counts: [train, validation, heldOut] }) => {
    expect(countsOf(plain(count), changes)).toEqual({ train, validation, held_out: heldOut });
  });
});

test.each<{ name: string; tags: string[][]; splits: Split[] }>([
  {
    name: 'tags take precedence',
    tags: [['train'], ['validation'], ['held_out'], ['held-out', 'hard']],
    splits: ['train', 'validation', 'held_out', 'held_out'],
  },
  {
    name: 'the strictest of several tags applies',
    tags: [
      ['train', 'validation'],
      ['validation', 'held_out'],
    ],
    splits: ['validation', 'held_out'],
  },
  {
    name: 'tagged cases count towards the share',
    tags: [['held_out'], ['validation'], [], []],
    splits: ['held_out', 'validation', 'train', 'train'],
  },
])('$name', ({ tags, splits }) => {
  expect(splitCases(tagged(...tags), TUNE).map(({ split }) => split)).toEqual(splits);
});

test('keeps the case order, depends only on the seed and leaves at least one training case', () => {
  const share = fc.integer({ min: 0, max: 9 }).map((tenths) => tenths / 10);
  const tags = fc.array(fc.constantFrom<string[]>([], [], ['train'], ['validation'], ['held_out']), { maxLength: 40 });
  fc.assert(
    fc.property(tags, share, share, fc.nat(100), (given, heldOutShare, validationShare, seed) => {
      const tune = { ...TUNE, heldOutShare, validationShare, seed };
      const cases = tagged(...given);
      const split = splitCases(cases, tune);
      expect(split.map(({ position }) => position)).toEqual(cases.map((_case, at) => at));
      expect(split.map(({ input }) => input)).toEqual(cases.map(({ input }) => input));
      expect(splitCases(cases, tune)).toEqual(split);
      const canTrain = given.some(([tag]) => tag === undefined || tag === 'train');
      expect(split.some((one) => one.split === 'train')).toBe(canTrain);
      expect(splitProblem(split, TUNE) === null).toBe(canTrain);
    }),
  );
});

test('another seed draws a different split', () => {
  const drawn = (seed: number) => splitCases(plain(20), { ...TUNE, seed }).map(({ split }) => split);
  expect(drawn(1)).not.toEqual(drawn(2));
});

test.each([
  { name: 'no cases', cases: [], words: 'at least one case' },
  { name: 'no training cases', cases: tagged(['held_out']), words: 'No case is left for training' },
  {
    name: 'an invalid weight',
    tune: { ...TUNE, weightKey: 'weight' },
    cases: plain(3).map((one, at) => ({ ...one, metadata: at === 1 ? { weight: '12 kg' } : {} })),
    words: 'Case 2: metadata.weight must be a number above 0, at most 100, got "12 kg".',
  },
  { name: 'too many cases', cases: plain(MAX_TUNING_CASES + 1), words: 'at most 2000 cases. The dataset has 2001' },
])('refuses $name', ({ cases, words, tune = TUNE }) => {
  expect(splitProblem(splitCases(cases, tune), tune)).toContain(words);
});

test('weights come only from the metadata key in the settings', () => {
  const metadata = [{ weight: '12 kg', importance: '5' }, { weight: 3 }];
  const cases = plain(2).map((one, at) => ({ ...one, metadata: metadata[at] ?? {} }));
  const weightsBy = (weightKey: string | null) => {
    const split = splitCases(cases, { ...TUNE, weightKey });
    return [splitProblem(split, { ...TUNE, weightKey }), ...split.map(({ weight }) => weight)];
  };
  expect(weightsBy(null)).toEqual([null, undefined, undefined]);
  expect(weightsBy('importance')).toEqual([null, 5, 1]);
  expect(weightsBy('weight')[0]).toContain('Case 1: metadata.weight must be');
});

test.each([
  { strategy: 'few_shot' as const, cases: tagged(['train']), isRefused: true },
  { strategy: 'few_shot' as const, cases: tagged(['train'], ['validation']), isRefused: false },
  { strategy: 'portfolio' as const, cases: tagged(['train']), isRefused: false },
])('strategy $strategy is refused without validation cases: $isRefused', ({ strategy, cases, isRefused }) => {
  const problem = splitProblem(splitCases(cases, { ...TUNE, validationShare: 0 }), { ...TUNE, strategy });
  expect(problem?.includes('needs validation cases') ?? false).toBe(isRefused);
});
