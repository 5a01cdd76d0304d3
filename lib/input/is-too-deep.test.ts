import { expect, test } from 'vitest';
import { isTooDeep } from './parse-input.ts';

test.each([
  ['a text', '"x"', false],
  ['null', 'null', false],
  ['lists nested to the limit', `${'['.repeat(100)}1${']'.repeat(100)}`, false],
  ['lists nested one level deeper', `${'['.repeat(101)}1${']'.repeat(101)}`, true],
  ['objects nested one level deeper', `${'{"a":'.repeat(101)}1${'}'.repeat(101)}`, true],
  ['lists nested deep enough to overflow the stack', `${'['.repeat(100_000)}1${']'.repeat(100_000)}`, true],
])('%s', (_name, json, expected) => {
  expect(isTooDeep(JSON.parse(json))).toBe(expected);
});
