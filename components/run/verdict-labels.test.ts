import { expect, test } from 'vitest';
import { settingsSchema } from '#lib/core/settings.ts';
import { ruleLabel, unscoredLabel } from './verdict-labels.ts';

const settings = settingsSchema.parse({
  mode: 'revise',
  generator: { provider: 'practice', model: 'practice-1' },
  criteria: [{ name: 'form', evaluator: 'llm', threshold: 0.7 }],
  qualityThreshold: 0.8,
});

test.each([
  { overall: 0.74, form: 0.6, words: 'overall 0.74 is under 0.80, and form is under its own 0.70' },
  { overall: 0.796, form: 0.8, words: 'overall 0.796 is under 0.800, and no criterion is below its own threshold' },
  { overall: 0.8, form: 0.7, words: 'overall 0.80 reaches 0.80, and no criterion is below its own threshold' },
  { overall: 0.9, form: 0.6951, words: 'overall 0.90 reaches 0.80, and form is under its own 0.700' },
  { overall: 0.9, form: 0.69999999, words: 'overall 0.90 reaches 0.80, and no criterion is below its own threshold' },
])('an overall of $overall reads "$words"', ({ overall, form, words }) => {
  expect(ruleLabel({ overallScore: overall, criteriaScores: { form } }, settings)).toBe(words);
});

type Gap = {
  name: string;
  criteriaScores: Record<string, number | null>;
  reasons: Record<string, string>;
  words: string;
};

test.each<Gap>([
  {
    name: 'what the case lacks',
    criteriaScores: { exact: null, form: 0.7 },
    reasons: { exact: 'Not scored: the case has no reference.', form: 'Fine.' },
    words: '“exact” has no score: the case has no reference.',
  },
  {
    name: 'several by their reason',
    criteriaScores: { a: null, b: null, c: null },
    reasons: {
      a: 'Not scored. The function failed.',
      b: 'Not scored: the judge is away.',
      c: 'Not scored: the judge is away.',
    },
    words: '“a” has no score: the function failed. “b” and “c” have no score: the judge is away.',
  },
  {
    name: 'nothing',
    criteriaScores: { a: null },
    reasons: {},
    words: '“a” has no score: no score could be read.',
  },
])('a gap says $name', ({ criteriaScores, reasons, words }) => {
  expect(unscoredLabel({ criteriaScores, reasons })).toBe(words);
});
