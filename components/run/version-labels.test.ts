import { describe, expect, test } from 'vitest';
import type { RunRecord } from '#lib/core/run-record.ts';
import { runFixture, evaluationFixture as scored, versionFixture as version } from './run.test-support.ts';
import { shownVersion } from './shown-version.ts';
import { cutOffLabel, interruptedLabel, unscoredEnd } from './version-labels.ts';

const cutOff = (number: number) =>
  version(number, [], { interrupted: true, origin: 'retried', parents: [], finishReason: 'turn_limit' });
const ENDED: Partial<RunRecord> = { status: 'finished', convergenceReason: 'max_iterations', finalVersion: 1 };

describe('what is said of a run that ended without a score', () => {
  test.each<[string, RunRecord, 'retry' | 'revise', string | null]>([
    [
      'all its attempts were cut off',
      runFixture([cutOff(0), cutOff(1)], ENDED),
      'retry',
      'No attempt came to an end that could be scored, so none is the best: v1 is only the last.',
    ],
    [
      'its only attempt was cut off',
      runFixture([cutOff(0)], { ...ENDED, finalVersion: 0 }),
      'retry',
      'The attempt came to no end that could be scored, so there is no best version.',
    ],
    [
      'its draft was cut off',
      runFixture([cutOff(0)], { status: 'failed', convergenceReason: 'cut_off', finalVersion: 0 }),
      'revise',
      'The draft came to no end that could be scored, so there is no best version.',
    ],
    [
      'an attempt came to an end, but could not be scored',
      runFixture([cutOff(0), version(1, [scored(null)])], { ...ENDED, status: 'failed' }),
      'retry',
      'No version was scored, so none is the best: v1 is only the last.',
    ],
    [
      'one attempt was scored',
      runFixture([version(0, [scored(0.2)]), cutOff(1)], { ...ENDED, bestVersion: 0 }),
      'retry',
      null,
    ],
    [
      'a person accepted one',
      runFixture([cutOff(0), cutOff(1)], { ...ENDED, convergenceReason: 'user_accepted' }),
      'retry',
      null,
    ],
    ['it is under way', runFixture([cutOff(0)]), 'retry', null],
    ['nothing was made', runFixture([], { ...ENDED, finalVersion: null }), 'retry', null],
  ])('%s', (_name, record, mode, words) => {
    expect(unscoredEnd(record, mode)).toBe(words);
  });

  test('the last version is shown all the same', () => {
    expect(shownVersion(runFixture([cutOff(0), cutOff(1)], ENDED), null)?.number).toBe(1);
  });
});

describe('a version that was cut off', () => {
  test.each([
    ['a first draft', { origin: 'generated' as const, parents: [] }, /Ask for a shorter text/],
    ['an attempt', { origin: 'retried' as const, parents: [] }, /Ask for a shorter text/],
    ['a revision', { origin: 'revised' as const, parents: [2] }, /higher than v2.*Allow revisions more tokens/],
  ])('%s is told with what to do', (_name, version, words) => {
    expect(cutOffLabel(version)).toMatch(/^The model reached its limit of tokens/);
    expect(cutOffLabel(version)).toMatch(words);
  });
});

test.each([
  ['retried', /the next attempt follows/],
  ['generated', /can be resumed/],
] as const)('an agent that was stopped on the way to a version that is %s', (origin, words) => {
  expect(interruptedLabel({ origin })).toMatch(words);
});
