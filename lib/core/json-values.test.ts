import { expect, test } from 'vitest';
import { isDeeper } from './json-values.ts';

const lists = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

test.each([
  ['a text', 'a', 0, false],
  ['null', null, 0, false],
  ['an empty list', [], 0, true],
  ['an object in an object', { a: { b: 1 } }, 1, true],
  ['an object in an object, of two levels', { a: { b: 1 } }, 2, false],
  ['the last member', [1, { a: 1 }, [[]]], 2, true],
  ['a depth that exhausts the stack', lists(200_000), 100, true],
  ['exactly as many levels', lists(100), 100, false],
])('isDeeper: %s', (_, value, levels, expected) => {
  expect(isDeeper(value, levels)).toBe(expected);
});
