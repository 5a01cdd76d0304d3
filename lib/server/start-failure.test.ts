import path from 'node:path';
import { expect, test } from 'vitest';
import { project } from '#lib/system/installation.mjs';
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

test.each([
  [path.join(project, '.next/cache'), 'run `npm run build` in it before'],
  [path.join(project, 'data/secret.key'), 'set HONE_DATA_DIR'],
  [`${project}-data/secret.key`, 'set HONE_DATA_DIR'],
])('describeSystemError names the remedy for the read-only path %s', (file, remedy) => {
  const message = describeSystemError(Object.assign(new Error('EROFS: open'), { code: 'EROFS', path: file }));
  expect(message).toContain(remedy);
});

test('describeSystemError returns null for a bug', () => {
  expect(describeSystemError(new TypeError('x is not a function'))).toBeNull();
  expect(describeSystemError(Object.assign(new Error('no'), { code: 'ERR_INVALID_ARG_TYPE' }))).toBeNull();
});
