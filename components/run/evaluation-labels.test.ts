import { describe, expect, test } from 'vitest';
import type { RunRecord } from '#lib/core/run-record.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import { SCORED_ELSEWHERE } from '#lib/runs/run-facts.ts';
import type { RescoreReport, ScoreSpread } from '#lib/statistics/rescore-report.ts';
import {
  cutOffLabel,
  interruptedLabel,
  listAwaitedCriteria,
  rescorePrice,
  rescoreState,
  ruleLabel,
  spreadSentence,
  unscoredEnd,
  unscoredLabel,
} from './evaluation-labels.ts';
import {
  evaluationFixture,
  runFixture,
  evaluationFixture as scored,
  versionFixture as version,
} from './run.test-support.ts';
import { shownVersion } from './shown-version.ts';

const settings = settingsSchema.parse({
  mode: 'revise',
  generator: { provider: 'practice', model: 'practice-1' },
  criteria: [{ name: 'form', evaluator: 'llm', threshold: 0.7 }],
  qualityThreshold: 0.8,
});

test.each([
  { overall: 0.74, form: 0.6, words: 'overall 0.74 is below 0.80, and form is below its threshold 0.70' },
  { overall: 0.796, form: 0.8, words: 'overall 0.796 is below 0.800, and no criterion is below its own threshold' },
  { overall: 0.8, form: 0.7, words: 'overall 0.80 reaches 0.80, and no criterion is below its own threshold' },
  { overall: 0.9, form: 0.6951, words: 'overall 0.90 reaches 0.80, and form is below its threshold 0.700' },
  { overall: 0.9, form: 0.69999999, words: 'overall 0.90 reaches 0.80, and no criterion is below its own threshold' },
])('an overall score of $overall reads "$words"', ({ overall, form, words }) => {
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
    name: 'the input that the case lacks',
    criteriaScores: { exact: null, form: 0.7 },
    reasons: { exact: 'Not scored: the case has no reference.', form: 'Fine.' },
    words: '“exact” has no score: the case has no reference.',
  },
  {
    name: 'each reason once with its criteria',
    criteriaScores: { a: null, b: null, c: null },
    reasons: {
      a: 'Not scored. The function failed.',
      b: 'Not scored: the judge is away.',
      c: 'Not scored: the judge is away.',
    },
    words: '“a” has no score: the function failed. “b” and “c” have no score: the judge is away.',
  },
  {
    name: 'that no score could be read if there is no reason',
    criteriaScores: { a: null },
    reasons: {},
    words: '“a” has no score: no score could be read.',
  },
])('the label of a missing score shows $name', ({ criteriaScores, reasons, words }) => {
  expect(unscoredLabel({ criteriaScores, reasons })).toBe(words);
});

const spread: ScoreSpread = {
  criterion: null,
  first: 0.71,
  n: 5,
  unscored: 0,
  mean: 0.72,
  standardDeviation: 0.02,
  lowest: 0.7,
  highest: 0.75,
  within: 5,
};
const report: RescoreReport = {
  version: 1,
  asked: 5,
  waiting: 0,
  scored: 5,
  unscored: 0,
  failed: 0,
  skipped: 0,
  failure: null,
  spreads: [spread],
  tokens: 100,
  costUsd: 0.01,
  unpriced: false,
};

describe('re-score labels', () => {
  test.each([
    { changes: {}, words: 'The judge is consistent: from 0.70 to 0.75, all 5 within 0.10 of the first, 0.71.' },
    {
      changes: { within: 3, highest: 0.9 },
      words: 'The judge is inconsistent: from 0.70 to 0.90, 3 of 5 within 0.10 of the first, 0.71.',
    },
    {
      changes: { lowest: 0.71, highest: 0.71 },
      words: 'The judge gave 0.71 all 5 times, all 5 within 0.10 of the first, 0.71.',
    },
    {
      changes: { n: 1, within: 1, lowest: 0.7, highest: 0.7 },
      words: 'The judge gave 0.70 once, all within 0.10 of the first, 0.71.',
    },
    {
      changes: { n: 0, lowest: null, highest: null, mean: null, within: 0 },
      words: 'None of the re-scores succeeded.',
    },
  ])('$words', ({ changes, words }) => {
    expect(spreadSentence({ ...spread, ...changes })).toBe(words);
  });

  test.each([
    { changes: {}, words: null },
    { changes: { waiting: 2 }, words: '3 of 5 done, 2 pending' },
    { changes: { unscored: 1, failed: 1, skipped: 2 }, words: '1 unscored, 1 failed, 2 skipped after that' },
  ])('$words', ({ changes, words }) => {
    expect(rescoreState({ ...report, ...changes })).toBe(words);
  });

  test('shows the estimated price of re-scoring', () => {
    expect(rescorePrice(5, 1, evaluationFixture(0.7))).toBe('about 5 calls, 6,000 tokens, $0.0100');
    expect(rescorePrice(5, 2, evaluationFixture(0.7, { costUsd: null }))).toBe(
      'about 10 calls, 6,000 tokens, no known price',
    );
    expect(rescorePrice(5, 1, evaluationFixture(0.7, { copiedFrom: 0, costUsd: 0 }))).toBe('about 5 calls');
    expect(rescorePrice(5, 0, undefined)).toBe('no model calls, because Hone checks the criteria itself');
  });
});

const CRITERIA = [
  { name: 'quality', evaluator: 'llm' },
  { name: 'taste', evaluator: 'human' },
  { name: 'fit', evaluator: 'human' },
] as const;

test.each<[string, 'scored' | 'partial', Record<string, number | null>, string[]]>([
  ['all criteria scored by people', 'partial', { quality: 0.5, taste: null, fit: null }, ['taste', 'fit']],
  ['the criteria that are still unscored', 'partial', { quality: 0.5, taste: 0.5, fit: null }, ['fit']],
  ['a score of 0 counts as scored', 'partial', { quality: 0, taste: 0, fit: null }, ['fit']],
  ['none if automatic scoring failed', 'partial', { quality: null, taste: null, fit: null }, []],
  ['none if all criteria are scored', 'scored', { quality: 0.5, taste: 0.5, fit: 0.5 }, []],
  ['none if a person overrode the overall score', 'scored', { quality: 0.5, taste: null, fit: null }, []],
])('%s', (_name, status, criteriaScores, waits) => {
  expect(listAwaitedCriteria({ status, criteriaScores }, [...CRITERIA])).toEqual(waits);
});

test('imported runs scored elsewhere wait for no reviewer', () => {
  const scored = { name: 'solved', evaluator: 'human', config: { question: SCORED_ELSEWHERE } } as const;
  expect(listAwaitedCriteria({ status: 'partial', criteriaScores: { solved: null } }, [scored])).toEqual([]);
});

const cutOff = (number: number) =>
  version(number, [], { interrupted: true, origin: 'retried', parents: [], finishReason: 'turn_limit' });
const ENDED: Partial<RunRecord> = { status: 'finished', convergenceReason: 'max_iterations', finalVersion: 1 };

describe('runs that ended without a score', () => {
  test.each<[string, RunRecord, 'retry' | 'revise', string | null]>([
    [
      'all attempts were cut off',
      runFixture([cutOff(0), cutOff(1)], ENDED),
      'retry',
      'All attempts were cut off, so there is no best version. v1 is the last one.',
    ],
    [
      'the only attempt was cut off',
      runFixture([cutOff(0)], { ...ENDED, finalVersion: 0 }),
      'retry',
      'The attempt was cut off and not scored, so there is no best version.',
    ],
    [
      'the draft was cut off',
      runFixture([cutOff(0)], { status: 'failed', convergenceReason: 'cut_off', finalVersion: 0 }),
      'revise',
      'The draft was cut off and not scored, so there is no best version.',
    ],
    [
      'an attempt ended but could not be scored',
      runFixture([cutOff(0), version(1, [scored(null)])], { ...ENDED, status: 'failed' }),
      'retry',
      'No version was scored, so there is no best version. v1 is the last one.',
    ],
    [
      'one attempt was scored',
      runFixture([version(0, [scored(0.2)]), cutOff(1)], { ...ENDED, bestVersion: 0 }),
      'retry',
      null,
    ],
    [
      'a person accepted an attempt',
      runFixture([cutOff(0), cutOff(1)], { ...ENDED, convergenceReason: 'user_accepted' }),
      'retry',
      null,
    ],
    ['the run is in progress', runFixture([cutOff(0)]), 'retry', null],
    ['no version exists', runFixture([], { ...ENDED, finalVersion: null }), 'retry', null],
  ])('%s', (_name, record, mode, words) => {
    expect(unscoredEnd(record, mode)).toBe(words);
  });

  test('shows the last version', () => {
    expect(shownVersion(runFixture([cutOff(0), cutOff(1)], ENDED), null)?.number).toBe(1);
  });
});

describe('truncated versions', () => {
  test.each([
    ['a first draft', { origin: 'generated' as const, parents: [] }, /Request a shorter text/],
    ['an attempt', { origin: 'retried' as const, parents: [] }, /Request a shorter text/],
    ['a revision', { origin: 'revised' as const, parents: [2] }, /higher than v2.*Raise the token limit of revisions/],
  ])('explains what to do after %s was cut off', (_name, version, words) => {
    expect(cutOffLabel(version, false)).toMatch(/^The model reached its token limit/);
    expect(cutOffLabel(version, false)).toMatch(words);
  });

  test('names no next revision of an ended run', () => {
    expect(cutOffLabel({ origin: 'revised', parents: [2] }, true)).toBe(
      'The model reached its token limit before the end of the text. Raise the token limit of revisions, or use the strategy with exact edits.',
    );
  });
});

test.each([
  ['retried', false, /The next attempt follows/],
  ['retried', true, /no lesson is written\.$/],
  ['generated', true, /Resume the run/],
] as const)('an agent interrupted before a version that is %s, ended: %s', (origin, hasEnded, words) => {
  expect(interruptedLabel({ origin }, hasEnded)).toMatch(words);
});
