import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Result } from '#lib/reflection/problem.ts';
import { readCsvCases, readJsonlCases } from './read-cases.ts';

function answer(read: Result<{ line: number; value: unknown }[]>): unknown {
  return read.ok ? read.value.map(({ line, value }) => [line, value]) : read.problem.message;
}

function plain(input: string, more: object = {}) {
  return { input, reference: null, tags: [], metadata: {}, ...more };
}

describe('readJsonlCases', () => {
  test.each<[string, string, unknown]>([
    ['nothing', '', []],
    ['one line', '{"input":"a"}', [[1, { input: 'a' }]]],
    ['a line end at the end', '{"input":"a"}\n', [[1, { input: 'a' }]]],
    [
      'empty lines count but hold no case',
      '\n{"input":"a"}\n  \n{"input":"b"}',
      [
        [2, { input: 'a' }],
        [4, { input: 'b' }],
      ],
    ],
    [
      'line ends of Windows',
      '{"input":"a"}\r\n{"input":"b"}\r\n',
      [
        [1, { input: 'a' }],
        [2, { input: 'b' }],
      ],
    ],
    ['line ends inside a text stand as \\n', '{"input":"a\\nb"}', [[1, { input: 'a\nb' }]]],
    ['separators of Unicode do not part lines', '{"input":"a\u2028b"}', [[1, { input: 'a\u2028b' }]]],
  ])('%s', (_name, text, expected) => {
    expect(answer(readJsonlCases(text))).toEqual(expected);
  });

  test('a byte order mark', () => {
    expect(answer(readJsonlCases('\uFEFF{"input":"a"}'))).toEqual([[1, { input: 'a' }]]);
  });

  test.each([
    ['half an object', '{"input":"a"}\n\n{"input":', 3],
    ['a comma behind it', '{"input":"a"},\n{"input":"b"}', 1],
    ['a list over several lines', '[\n{"input":"a"}\n]', 1],
  ])('%s is named by its line, and nothing is taken', (_name, text, line) => {
    expect(readJsonlCases(text)).toMatchObject({
      ok: false,
      problem: {
        code: 'invalid',
        field: `line ${line}`,
        message: expect.stringMatching(new RegExp(`^line ${line} is not JSON .+Nothing was stored\\.$`)),
      },
    });
  });
});

describe('readCsvCases', () => {
  test.each<[string, string, unknown]>([
    ['a head line alone', 'input', []],
    [
      'one column',
      'input\na\nb',
      [
        [2, plain('a')],
        [3, plain('b')],
      ],
    ],
    [
      'all columns',
      'input,reference,tags,metadata.level\na,1,x; y ;,easy',
      [[2, { input: 'a', reference: '1', tags: ['x', 'y'], metadata: { level: 'easy' } }]],
    ],
    ['empty cells', 'input,reference,tags,metadata.level\na,,,', [[2, plain('a')]]],
    ['columns in another order, with spaces', 'reference , input\n1,a', [[2, plain('a', { reference: '1' })]]],
    ['a byte order mark', '\uFEFFinput\na', [[2, plain('a')]]],
    [
      'line ends of Windows',
      'input,reference\r\na,1\r\nb,2\r\n',
      [
        [2, plain('a', { reference: '1' })],
        [3, plain('b', { reference: '2' })],
      ],
    ],
    [
      'semicolons, as spreadsheets of some countries write them',
      'input;reference\na;1',
      [[2, plain('a', { reference: '1' })]],
    ],
    ['tabs', 'input\treference\na\t1', [[2, plain('a', { reference: '1' })]]],
    [
      'quoted commas, quotes and line ends; rows are named by the line they begin on',
      'input,reference\n"a, ""b""\nc",1\nd,"2\n3"\ne,4',
      [
        [2, plain('a, "b"\nc', { reference: '1' })],
        [4, plain('d', { reference: '2\n3' })],
        [6, plain('e', { reference: '4' })],
      ],
    ],
    [
      'quoted line ends of Windows',
      'input\r\n"a\r\nb"\r\nc\r\n',
      [
        [2, plain('a\r\nb')],
        [4, plain('c')],
      ],
    ],
    [
      'empty lines are skipped but counted',
      'input,reference\n\na,1\n\n\nb,2\n',
      [
        [3, plain('a', { reference: '1' })],
        [6, plain('b', { reference: '2' })],
      ],
    ],
  ])('%s', (_name, text, expected) => {
    expect(answer(readCsvCases(text))).toEqual(expected);
  });

  test.each<[string, string, string]>([
    ['nothing at all', '', 'line 1: the head line must name a column input. Nothing was stored.'],
    ['no column input', 'question,answer\na,b', 'line 1: the head line must name a column input. Nothing was stored.'],
    [
      'an unknown column',
      'input,answer\na,b',
      'line 1: unknown column "answer"; columns are input, reference, tags and metadata.name. Nothing was stored.',
    ],
    [
      'a cell too many, after a quoted line end',
      'input,reference\n"a\nb",1\nc,2,3',
      'line 4 has 3 columns, the head line has 2. Nothing was stored.',
    ],
    ['a cell too few', 'input,reference\na,1\nb', 'line 3 has 1 columns, the head line has 2. Nothing was stored.'],
  ])('%s', (_name, text, message) => {
    expect(answer(readCsvCases(text))).toBe(message);
  });

  test('a quote that is never closed is named by the line its row begins on', () => {
    expect(readCsvCases('input,reference\na,1\nb,"2\nc,3')).toMatchObject({
      ok: false,
      problem: { field: 'line 3', message: expect.stringMatching(/^line 3: .*quote/i) },
    });
  });

  test('a column named twice is refused', () => {
    expect(readCsvCases('input,input\na,b')).toMatchObject({
      ok: false,
      problem: { field: 'line 1', message: expect.stringContaining('twice') },
    });
  });

  test('every case that is written with quotes comes back', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ' ', ',', ';', '"', '\n', '\r\n', '\t', 'é'), maxLength: 8 });
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { maxLength: 5 }), (rows) => {
        const text = ['input,reference', ...rows.map((cells) => cells.map(quoted).join(','))].join('\n');
        const read = readCsvCases(text);
        expect(read.ok && read.value.map(({ value }) => value)).toEqual(
          rows.map(([input, reference]) => plain(input, { reference: reference === '' ? null : reference })),
        );
      }),
    );
  });
});
