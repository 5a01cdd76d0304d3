import { expect, test } from 'vitest';
import { searchParam } from './search-param.ts';

test.each([
  ['no parameter', undefined, null],
  ['an empty parameter', '', null],
  ['one parameter', 'practice', 'practice'],
  ['a repeated parameter', ['first', 'second'], 'first'],
  ['a repeated parameter whose first value is empty', [], null],
  ['a value with U+0000, which the database cannot store', '\0', '\uFFFD'],
  ['a repeated parameter with U+0000 in the first value', ['a\0b', 'c'], 'a\uFFFDb'],
])('%s', (_name, value, read) => {
  expect(searchParam(value)).toBe(read);
});
