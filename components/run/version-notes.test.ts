import { describe, expect, test } from 'vitest';
import { cutOffLabel, interruptedLabel } from './version-notes.tsx';

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
