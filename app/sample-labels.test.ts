import { expect, test } from 'vitest';
import {
  runFixture,
  evaluationFixture as scored,
  versionFixture as version,
} from '#components/run/run.test-support.ts';
import { sampleLabel } from './sample-labels.ts';

const GENERAL = 'Draft, judge, mend, and see what each step was worth.';

test.each([
  {
    name: 'a rise',
    record: runFixture([version(0, [scored(0.5)]), version(1, [scored(0.65)]), version(2, [scored(0.85)])], {
      bestVersion: 2,
    }),
    expected: 'A first draft scored 0.50. Two revisions later it scores 0.85.',
  },
  {
    name: 'one revision',
    record: runFixture([version(0, [scored(0.5)]), version(1, [scored(0.9)])], { bestVersion: 1 }),
    expected: 'A first draft scored 0.50. One revision later it scores 0.90.',
  },
  {
    name: 'no rise is not bragged about',
    record: runFixture([version(0, [scored(0.5)])], { bestVersion: 0 }),
    expected: GENERAL,
  },
  {
    name: 'an unscored draft',
    record: runFixture([version(0, [scored(null)]), version(1, [scored(0.9)])], { bestVersion: 1 }),
    expected: GENERAL,
  },
  { name: 'no run yet', record: null, expected: GENERAL },
])('$name', ({ record, expected }) => {
  expect(sampleLabel(record)).toBe(expected);
});
