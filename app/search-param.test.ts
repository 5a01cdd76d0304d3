import { expect, test } from 'vitest';
import { idParam, searchParam } from './search-param.ts';

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

test.each([
  ['an id', '0198c1f0-0000-7000-8000-000000000000', '0198c1f0-0000-7000-8000-000000000000'],
  ['a text that is no id', 'abc', null],
  ['no parameter', undefined, null],
])('returns ids only: %s', (_name, value, read) => {
  expect(idParam(value)).toBe(read);
});
