import { expect, test } from 'vitest';
import { resultVersion } from './run-facts.ts';

test.each([
  ['the accepted version, though another is the best', 'user_accepted', 1, 0, 1],
  ['the accepted version, though none was scored', 'user_accepted', 1, null, 1],
  ['the best version, though another is the last', 'plateau', 3, 2, 2],
  ['none where nothing was scored, though there is a last', 'max_iterations', 2, null, null],
  ['the best so far while the run goes on', null, null, 0, 0],
] as const)('the result is %s', (_name, convergenceReason, finalVersion, bestVersion, expected) => {
  expect(resultVersion({ convergenceReason, finalVersion, bestVersion })).toBe(expected);
});
