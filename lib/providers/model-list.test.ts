import { expect, test } from 'vitest';
import { readModelList } from './test-connection.ts';

const listOf = (...ids: string[]) => JSON.stringify({ data: ids.map((id) => ({ id })) });

test.each<[string, string, string[] | null]>([
  ['in the format of OpenAI', listOf('b', 'a'), ['b', 'a']],
  ['in the format of Google', '{"models":[{"name":"models/small"}]}', ['small']],
  ['without duplicates', listOf('a', 'a', ' a '), ['a']],
  ['without empty and very long names', listOf('', ' ', 'x'.repeat(201), 'ok'), ['ok']],
  [
    'without misleading characters and those that cannot be stored',
    listOf('a\u0000b', 'c\u202ed', 'e\ud800'),
    ['a�b', 'c�d', 'e�'],
  ],
  ['no list', '{"data":"all"}', null],
  ['text that is not JSON', '<html>', null],
  ['empty text', '', null],
])('%s', (_name, body, expected) => {
  expect(readModelList(body)).toEqual(expected);
});

test('reads at most 2,000 names', () => {
  expect(readModelList(listOf(...Array.from({ length: 3_000 }, (_, at) => `m${at}`)))).toHaveLength(2_000);
});
