import { expect, test } from 'vitest';
import { readModelList } from './test-connection.ts';

const listOf = (...ids: string[]) => JSON.stringify({ data: ids.map((id) => ({ id })) });

test.each<[string, string, string[] | null]>([
  ['as OpenAI sends it', listOf('b', 'a'), ['b', 'a']],
  ['as Google sends it', '{"models":[{"name":"models/small"}]}', ['small']],
  ['each once', listOf('a', 'a', ' a '), ['a']],
  ['without empty and endless names', listOf('', ' ', 'x'.repeat(201), 'ok'), ['ok']],
  [
    'without characters that mislead or cannot be stored',
    listOf('a\u0000b', 'c\u202ed', 'e\ud800'),
    ['a�b', 'c�d', 'e�'],
  ],
  ['no list', '{"data":"all"}', null],
  ['no JSON', '<html>', null],
  ['nothing', '', null],
])('%s', (_name, body, expected) => {
  expect(readModelList(body)).toEqual(expected);
});

test('reads at most 2,000 names', () => {
  expect(readModelList(listOf(...Array.from({ length: 3_000 }, (_, at) => `m${at}`)))).toHaveLength(2_000);
});
