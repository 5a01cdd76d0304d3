import { describe, expect, test } from 'vitest';
import {
  decided,
  decisionOf,
  historyOf,
  judged,
  settingsOf,
  type VersionGiven,
} from '#lib/core/history-of.test-support.ts';
import { OTHERS, REWORDED } from '#lib/core/issues/reworded-issues.test-support.ts';
import { forEveryRun } from '#lib/core/simulated-runs.test-support.ts';
import { digestRun, type RunDigest, runDigestSchema } from './digest-run.ts';

const SETTINGS = settingsOf({ qualityThreshold: 0.8 });
const RETRY = settingsOf({ mode: 'retry', qualityThreshold: 0.8 });
const TWO_CHECKS = settingsOf({
  criteria: [
    { name: 'tone', threshold: 0.5, evaluator: 'llm' },
    { name: 'facts', threshold: 0.7, evaluator: 'regex', config: { pattern: 'x' } },
  ],
});
const NO_REFERENCE = { reference: null };

function digest(given: VersionGiven[], settings = SETTINGS): RunDigest {
  return digestRun(historyOf(settings, given), settings, NO_REFERENCE);
}

/** Returns a version with scores of both checks. */
function both(tone: number | null, facts: number | null): VersionGiven {
  return { criteria: { tone, facts } };
}

/** Returns a version with these issues. */
function naming(score: number | null, ...texts: string[]): VersionGiven {
  return { score, issues: texts.map((text) => ({ criterion: null, text })) };
}

describe('scores', () => {
  test.each<[string, VersionGiven[], Partial<RunDigest>]>([
    [
      'no version',
      [],
      {
        scores: [],
        scoredVersions: 0,
        firstScore: null,
        bestScore: null,
        lastScore: null,
        solvedAt: null,
        lastSatisfactory: false,
      },
    ],
    [
      'a satisfactory first version',
      [0.9],
      {
        scores: [0.9],
        scoredVersions: 1,
        firstScore: 0.9,
        bestScore: 0.9,
        lastScore: 0.9,
        solvedAt: 0,
        lastSatisfactory: true,
      },
    ],
    [
      'a satisfactory version that later got worse',
      [0.4, 0.9, 0.6],
      { firstScore: 0.4, bestScore: 0.9, lastScore: 0.6, solvedAt: 1, lastSatisfactory: false },
    ],
    [
      'an unscored version is a gap, never 0',
      [null, 0.5, null],
      {
        scores: [null, 0.5, null],
        scoredVersions: 1,
        firstScore: 0.5,
        bestScore: 0.5,
        lastScore: 0.5,
        evaluations: 3,
        unscored: 2,
      },
    ],
    [
      'the score of a person takes precedence',
      [{ judged: [{ score: 0.3 }, { score: 0.9, by: 'person' }] }],
      { scores: [0.9], solvedAt: 0, evaluations: 1 },
    ],
    [
      'a cut-off attempt has no score',
      [0.2, { score: 0.9, interrupted: true }],
      { scores: [0.2, null], scoredVersions: 1, evaluations: 1 },
    ],
  ])('%s', (_name, given, expected) => {
    expect(digest(given)).toMatchObject(expected);
  });

  test('the accepted version counts as the last one unless the run was resumed', () => {
    const history = historyOf(SETTINGS, [0.7, 0.4]);
    const accepted = decided(history, decisionOf('accept', { version: 0 }));
    expect(digestRun(accepted, SETTINGS, NO_REFERENCE)).toMatchObject({ lastScore: 0.7, firstScore: 0.7 });
    const resumed = decided(accepted, decisionOf('resume'));
    expect(digestRun(resumed, SETTINGS, NO_REFERENCE).lastScore).toBe(0.4);
  });

  test('a missing human score does not count as unscored, a missing machine score does', () => {
    const settings = settingsOf({
      criteria: [
        { name: 'tone', evaluator: 'llm' },
        { name: 'taste', evaluator: 'human' },
      ],
    });
    const given = (tone: number | null): VersionGiven[] => [{ criteria: { tone, taste: null } }];
    expect(digest(given(0.9), settings)).toMatchObject({ scores: [null], evaluations: 1, unscored: 0 });
    expect(digest(given(null), settings)).toMatchObject({ evaluations: 1, unscored: 1 });
  });
});

test.each<[string, VersionGiven[], [number, number]]>([
  ['one of two is resolved', [naming(0.2, 'dull', 'long'), naming(0.5, 'long')], [2, 1]],
  ['issues of the last version are never resolved', [naming(0.2, 'dull')], [0, 0]],
  ['an issue in another case and punctuation stays open', [naming(0.2, 'Too long!'), naming(0.5, 'too  LONG')], [1, 0]],
  ['an issue repeated in one version counts once', [naming(0.2, 'dull', 'Dull.'), naming(0.5)], [1, 1]],
  ['an issue raised again counts again', [naming(0.2, 'dull'), naming(0.5), naming(0.4, 'dull'), naming(0.5)], [2, 2]],
  [
    'reworded issues are not resolved',
    [
      naming(0.2, ...REWORDED.map(([first]) => first)),
      naming(0.5, ...REWORDED.map(([_first, second]) => second).reverse()),
    ],
    [5, 0],
  ],
  [
    'five replaced issues are resolved',
    [naming(0.2, ...REWORDED.map(([first]) => first)), naming(0.5, ...OTHERS)],
    [5, 5],
  ],
  ['an unscored version is skipped', [naming(0.2, 'dull'), naming(null), naming(0.5, 'dull')], [1, 0]],
])('issues: %s', (_name, given, [issuesNamed, issuesResolved]) => {
  expect(digest(given)).toMatchObject({ issuesNamed, issuesResolved });
});

test.each<[string, VersionGiven[], Partial<RunDigest>]>([
  [
    'corrected',
    [both(0.4, 0.9), both(0.6, 0.9)],
    { checksFailing: 1, checksCorrected: 1, checksPassing: 1, checksIntroduced: 0 },
  ],
  [
    'introduced',
    [both(0.5, 0.7), both(0.5, 0.6)],
    { checksFailing: 0, checksCorrected: 0, checksPassing: 2, checksIntroduced: 1 },
  ],
  [
    'one corrected and one introduced',
    [both(0.1, 0.9), both(0.9, 0.1)],
    { checksFailing: 1, checksCorrected: 1, checksPassing: 1, checksIntroduced: 1 },
  ],
  [
    'a score equal to the threshold passes despite rounding',
    [both(0.1 + 0.4, 0.1 + 0.6), both(0.3 + 0.2, 0.7)],
    { checksFailing: 0, checksPassing: 2, checksIntroduced: 0 },
  ],
  ['an unscored version is not a failure', [both(0.1, 0.9), both(0.9, null)], { checksFailing: 0, checksPassing: 0 }],
  [
    'each change counts',
    [both(0.1, 0.1), both(0.2, 0.9), both(0.9, 0.1)],
    { checksFailing: 3, checksCorrected: 2, checksPassing: 1, checksIntroduced: 1 },
  ],
])('checks: %s', (_name, given, expected) => {
  expect(digest(given, TWO_CHECKS)).toMatchObject(expected);
});

test('edited versions do not count as progress of the loop', () => {
  const history = historyOf(SETTINGS, [naming(0.2, 'dull'), naming(0.9), 0.9]);
  const versions = history.versions.map((one) => (one.number === 1 ? { ...one, origin: 'edited' as const } : one));
  const settings = settingsOf({ criteria: [{ name: 'quality', threshold: 0.5, evaluator: 'llm' }] });
  expect(digestRun({ ...history, versions }, settings, NO_REFERENCE)).toMatchObject({
    scores: [0.2, 0.9, 0.9],
    issuesNamed: 0,
    checksFailing: 0,
    checksPassing: 1,
    retriesAfterFail: 0,
  });
});

test.each<[string, VersionGiven[], [number, number]]>([
  [
    'the same answer after a failure',
    [
      { score: 0, answer: 'paris' },
      { score: 0, answer: 'paris' },
    ],
    [1, 1],
  ],
  [
    'another answer',
    [
      { score: 0, answer: 'paris' },
      { score: 1, answer: 'rome' },
    ],
    [1, 0],
  ],
  [
    'nothing is retried after a success',
    [
      { score: 1, answer: 'paris' },
      { score: 1, answer: 'paris' },
    ],
    [0, 0],
  ],
  [
    'without an extracted answer the normalised texts are compared',
    [
      { score: 0, output: 'The answer.' },
      { score: 0, output: 'answer' },
    ],
    [1, 1],
  ],
  [
    'an attempt without an extracted answer differs from one with',
    [
      { score: 0, answer: 'paris' },
      { score: 0, output: 'Paris!' },
    ],
    [1, 1],
  ],
  ['the last failure has no next attempt', [{ score: 0, answer: 'paris' }], [0, 0]],
])('repeats: %s', (_name, given, [retriesAfterFail, repeatedAnswers]) => {
  expect(digest(given, RETRY)).toMatchObject({ retriesAfterFail, repeatedAnswers });
});

test('an output whose text was dropped is not compared', () => {
  const history = historyOf(RETRY, [
    { score: 0, output: 'one' },
    { score: 0, output: 'one' },
  ]);
  const versions = history.versions.map((one) => ({ ...one, output: '', outputDropped: true }));
  expect(digestRun({ ...history, versions }, RETRY, NO_REFERENCE)).toMatchObject({ retriesAfterFail: 0 });
});

test('an override changes the digest', () => {
  const history = historyOf(SETTINGS, [0.3, 0.5]);
  expect(digestRun(history, SETTINGS, NO_REFERENCE)).toMatchObject({ solvedAt: null, bestScore: 0.5 });
  const overridden = judged(history, SETTINGS, 0, { score: 0.95, by: 'person' });
  expect(digestRun(overridden, SETTINGS, NO_REFERENCE)).toMatchObject({ solvedAt: 0, bestScore: 0.95, lastScore: 0.5 });
});

test('the counts of every generated run are consistent', () => {
  forEveryRun(
    ({ history }, settings) => {
      const found = digestRun(history, settings, NO_REFERENCE);
      expect(runDigestSchema.parse(found)).toEqual(found);
      expect(found.scores).toHaveLength(history.versions.length);
      expect(found.scores.filter((score) => score !== null)).toHaveLength(found.scoredVersions);
      expect(found.unscored).toBeLessThanOrEqual(found.evaluations);
      expect(found.issuesResolved).toBeLessThanOrEqual(found.issuesNamed);
      expect(found.checksCorrected).toBeLessThanOrEqual(found.checksFailing);
      expect(found.checksIntroduced).toBeLessThanOrEqual(found.checksPassing);
      expect(found.repeatedAnswers).toBeLessThanOrEqual(found.retriesAfterFail);
      expect(found.checksFailing + found.checksPassing).toBeLessThanOrEqual(
        settings.criteria.length * Math.max(0, found.scoredVersions - 1),
      );
    },
    { numRuns: 100 },
  );
});
