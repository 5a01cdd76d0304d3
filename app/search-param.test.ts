import { expect, test } from 'vitest';
import { searchParam } from './search-param.ts';

test.each([
  ['none', undefined, null],
  ['an empty one', '', null],
  ['one', 'practice', 'practice'],
  ['several', ['first', 'second'], 'first'],
  ['none of several', [], null],
  ['U+0000, which the database cannot hold', '\0', '\uFFFD'],
  ['U+0000 in the first of several', ['a\0b', 'c'], 'a\uFFFDb'],
])('%s', (_name, value, read) => {
  expect(searchParam(value)).toBe(read);
});
