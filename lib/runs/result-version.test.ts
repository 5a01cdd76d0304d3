import { expect, test } from 'vitest';
import { resultVersion } from './run-facts.ts';

test.each([
  ['the accepted version, even if another is the best', 'user_accepted', 1, 0, 1],
  ['the accepted version, even if none is scored', 'user_accepted', 1, null, 1],
  ['the best version, even if another is the last', 'plateau', 3, 2, 2],
  ['null if none is scored, although there is a last version', 'max_iterations', 2, null, null],
  ['the best version so far during the run', null, null, 0, 0],
] as const)('the result is %s', (_name, convergenceReason, finalVersion, bestVersion, expected) => {
  expect(resultVersion({ convergenceReason, finalVersion, bestVersion })).toBe(expected);
});
