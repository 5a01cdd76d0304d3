import { expect, test } from 'vitest';
import { isTooDeep } from './parse-input.ts';

test.each([
  ['a text', '"x"', false],
  ['null', 'null', false],
  ['lists nested as deep as allowed', `${'['.repeat(100)}1${']'.repeat(100)}`, false],
  ['lists one deeper', `${'['.repeat(101)}1${']'.repeat(101)}`, true],
  ['objects one deeper', `${'{"a":'.repeat(101)}1${'}'.repeat(101)}`, true],
  ['lists deep enough for a crash', `${'['.repeat(100_000)}1${']'.repeat(100_000)}`, true],
])('%s', (_name, json, expected) => {
  expect(isTooDeep(JSON.parse(json))).toBe(expected);
});
