import { expect, test } from 'vitest';
import { describeSystemError } from './start-failure.ts';

test.each([
  ['ENOSPC', 'Free some space'],
  ['EROFS', 'Mount it writable'],
  ['EACCES', 'Give your user access'],
  ['EMFILE', 'ulimit -n'],
])('describeSystemError names the remedy for %s', (code, remedy) => {
  const error = Object.assign(new Error(`${code}: write`), { code });
  expect(describeSystemError(error)).toMatch(new RegExp(`^${code}: write\\. .*${remedy}`));
});

test('describeSystemError returns null for a bug', () => {
  expect(describeSystemError(new TypeError('x is not a function'))).toBeNull();
  expect(describeSystemError(Object.assign(new Error('no'), { code: 'ERR_INVALID_ARG_TYPE' }))).toBeNull();
});
