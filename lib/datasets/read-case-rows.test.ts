import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isRecord } from '#lib/core/is-record.ts';
import { mapRow } from './case-mapping.ts';
import { type CaseFormat, readCaseRows } from './read-case-rows.ts';

async function rowsOf(format: CaseFormat, text: string, size = text.length + 1): Promise<unknown[]> {
  const bytes = new TextEncoder().encode(text);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
  }
  const rows: unknown[] = [];
  for await (const read of readCaseRows(format, chunks())) {
    if (!read.ok) rows.push(read.problem);
    else if (read.value.kind === 'value') rows.push([read.value.line, shownValue(read.value)]);
    else if (read.value.kind === 'member') rows.push({ [read.value.name]: read.value.value });
    else rows.push(`${read.value.fault.line}:${read.value.fault.column} ${read.value.fault.message}`);
  }
  return rows;
}

/** Returns the value of a row, with the cells of a table mapped to the parts of a case. */
function shownValue({ value, text }: { value: unknown; text: string | null }): unknown {
  return text === null && isRecord(value) ? mapRow(value, { mapping: {}, keepOthers: false }, true).value : value;
}

const FULL = { input: 'a', reference: '1', tags: ['x', 'y'], metadata: { level: 'easy' } };

describe('readCaseRows', () => {
  test.each<[CaseFormat, string, string, unknown[]]>([
    [
      'jsonl',
      'empty lines count',
      '\n{"input":"a"}\n  \r\n{"input":"b"}',
      [
        [2, { input: 'a' }],
        [4, { input: 'b' }],
      ],
    ],
    [
      'jsonl',
      'a bad line is named, the next is read',
      '{"input" "a"}\n{"input":"b"}',
      ['1:10 a colon is missing before `"a"`', [2, { input: 'b' }]],
    ],
    [
      'jsonl',
      'one object that holds a list of another tool',
      '{"version":2,"samples":[{"input":"a"}]}\n',
      [[1, { input: 'a' }]],
    ],
    [
      'json',
      'a log of Inspect, which also holds results',
      '{"version":2,"samples":[{"input":"a","target":"b"}],"reductions":[{"scorer":"match","samples":[{"value":1}]}]}',
      [[1, { input: 'a', target: 'b' }]],
    ],
    [
      'jsonl',
      'the examples of a dataset of Phoenix',
      '{"data":{"dataset_id":"RGF0","examples":[{"id":"1","input":{"question":"a"},"output":{"answer":"b"}}]}}',
      [[1, { id: '1', input: { question: 'a' }, output: { answer: 'b' } }]],
    ],
    ...['jsonl', 'json'].map((format): [CaseFormat, string, string, unknown[]] => [
      format === 'json' ? 'json' : 'jsonl',
      'one object that holds several lists of cases',
      '{"samples":[{"input":"a"}],"more":[{"question":"b"}]}',
      ['1:1 this object holds its cases as `samples`. Import only that list, or rename it to `cases`'],
    ]),
    ...['jsonl', 'json'].flatMap((format) =>
      [
        ['by column', '{"question":{"0":"a","1":"b"},"answer":{"0":"1","1":"2"}}'],
        ['by row', '{"0":{"question":"a","answer":"1"},"1":{"question":"b","answer":"2"}}'],
        ['split', '{"columns":["question","answer"],"index":[0,1],"data":[["a","1"],["b","2"]]}'],
      ].map(([orient, text]): [CaseFormat, string, string, unknown[]] => [
        format === 'json' ? 'json' : 'jsonl',
        `a table of pandas, ${orient}`,
        text ?? '',
        [
          [1, { question: 'a', answer: '1' }],
          [2, { question: 'b', answer: '2' }],
        ],
      ]),
    ),
    [
      'jsonl',
      'one case with a table',
      '{"question":"a","columns":["x"],"data":[["1"]]}',
      [[1, { question: 'a', columns: ['x'], data: [['1']] }]],
    ],
    [
      'jsonl',
      'one case with a list',
      '{"question":"a","examples":[{"question":"b"}]}',
      [[1, { question: 'a', examples: [{ question: 'b' }] }]],
    ],
    [
      'jsonl',
      'several objects that hold lists',
      '{"data":[{"x":1}]}\n{"data":[{"x":2}]}',
      [
        [1, { data: [{ x: 1 }] }],
        [2, { data: [{ x: 2 }] }],
      ],
    ],
    ['csv', 'nothing', '', []],
    ['csv', 'a header alone', 'input', []],
    ['csv', 'all columns', 'input,reference,tags,metadata.level\na,1,x; y ;,easy', [[2, FULL]]],
    [
      'csv',
      'empty cells',
      'input,reference,tags,metadata.level\na,,,',
      [[2, { input: 'a', reference: null, tags: [] }]],
    ],
    [
      'csv',
      'a byte order mark, spaces, line ends of Windows',
      '\uFEFFreference , input\r\n1,a\r\n',
      [[2, { input: 'a', reference: '1' }]],
    ],
    [
      'csv',
      'semicolons, as spreadsheets of some countries write them',
      'input;reference\na;1',
      [[2, { input: 'a', reference: '1' }]],
    ],
    ['csv', 'tabs', 'input\treference\na\t1', [[2, { input: 'a', reference: '1' }]]],
    [
      'csv',
      'quoted commas, quotes and line ends',
      'input,reference\n"a, ""b""\nc",1\nd,"2\n3"\ne,4',
      [
        [2, { input: 'a, "b"\nc', reference: '1' }],
        [4, { input: 'd', reference: '2\n3' }],
        [6, { input: 'e', reference: '4' }],
      ],
    ],
    [
      'csv',
      'empty lines count',
      'input,reference\n\na,1\n\n\nb,2\n',
      [
        [3, { input: 'a', reference: '1' }],
        [6, { input: 'b', reference: '2' }],
      ],
    ],
    [
      'csv',
      'cells too many and too few, after a quoted line end',
      'input,reference\n"a\nb",1\nc,2,3\nd',
      [
        [2, { input: 'a\nb', reference: '1' }],
        '4:null this row has 3 columns, but the header has 2',
        '5:null this row has 1 column, but the header has 2',
      ],
    ],
    [
      'csv',
      'a single quote inside of a quoted cell',
      'input,reference\n"say "hi" twice",1\nb,2',
      [
        '2:null a quoted cell ends before its text does. Double the quotes inside of it: ""',
        [3, { input: 'b', reference: '2' }],
      ],
    ],
    [
      'csv',
      'a cell that is not closed',
      'input,reference\na,1\nb,"2',
      [[2, { input: 'a', reference: '1' }], '3:null a quoted cell is not closed. Add the closing quote'],
    ],
    [
      'csv',
      'lines that end with carriage returns only',
      'input,reference\ra,1\rb,2',
      [expect.stringMatching(/^1:null its lines end with carriage returns only/)],
    ],
    [
      'jsonl',
      'what cannot be kept as it is',
      '{"input":"a"}\n{"input":"b","metadata":{"n":12345678901234567890}}\n{"input":"c"}',
      [[1, { input: 'a' }], expect.stringMatching(/^2:30 the number/), [3, { input: 'c' }]],
    ],
    [
      'json',
      'what cannot be kept, in a list',
      '[{"input":"a"}, {"input":"b",\n  "metadata":{"n":1e400}}]',
      [[1, { input: 'a' }], expect.stringMatching(/^2:19 the number 1e400/)],
    ],
    [
      'csv',
      'empty columns at the end and empty rows, as spreadsheets write them',
      'input,reference,,\r\na,1,,\r\n,,,\r\n"",,,\r\nb,2,note,\r\nc,3,,',
      [
        [2, { input: 'a', reference: '1' }],
        '5:null this row has 3 columns, but the header has 2',
        [6, { input: 'c', reference: '3' }],
      ],
    ],
    [
      'csv',
      'a line for Excel that names the delimiter',
      '\uFEFFsep=;\r\ninput;reference\r\na, b;1',
      [[3, { input: 'a, b', reference: '1' }]],
    ],
    [
      'csv',
      'columns without a name get their position',
      'input,,,reference\na,,x,1',
      [[2, { input: 'a', 'column 2': '', 'column 3': 'x', reference: '1' }]],
    ],
    [
      'csv',
      'repeated columns are numbered',
      'note 2,note,note,note\na,b,c,d',
      [[2, { 'note 2': 'a', note: 'b', 'note 3': 'c', 'note 4': 'd' }]],
    ],
    [
      'csv',
      'too many columns',
      `${'c,'.repeat(1_001)}c\na`,
      ['1:null the header has 1002 columns, at most 1000 are allowed'],
    ],
    [
      'csv',
      'a quote inside of a cell is a sign',
      'input,reference\na "b,1\nc,2',
      [
        [2, { input: 'a "b', reference: '1' }],
        [3, { input: 'c', reference: '2' }],
      ],
    ],
    [
      'json',
      'a list',
      '[{"input":"a"},\n {"input":"b"}]',
      [
        [1, { input: 'a' }],
        [2, { input: 'b' }],
      ],
    ],
    [
      'json',
      'an object that holds one',
      '{"name": "N", "cases": [\n{"input":"]"},\n{"input":"\\"}"}\n], "note": {"a": [1]}}',
      [[2, { input: ']' }], [3, { input: '"}' }], { name: 'N' }, { note: { a: [1] } }],
    ],
    ['json', 'nothing in it', '[]', []],
    [
      'json',
      'a comma too many at the end',
      '[{"input":"a"},\n]',
      [[1, { input: 'a' }], '2:1 this is not JSON: unexpected "]"'],
    ],
    [
      'json',
      'a comma too many in an object',
      '{\n  "name": "x",\n}',
      ['3:1 this is not JSON: unexpected "}"', { name: 'x' }],
    ],
    [
      'json',
      'a bad member is named where it stands',
      '{\n"name" "x",\n  "note": 1 2}',
      ['2:8 a colon is missing before `"x"`', '3:13 this is not JSON: unexpected "2"'],
    ],
    [
      'json',
      'a bad entry is named, the next is read',
      '[\n {"input": "a" "tags": []},\n {"input":"b"}]',
      ['2:16 a comma is missing before `"tags"`', [3, { input: 'b' }]],
    ],
    ['json', 'the end is missing', '[{"input":"a"}', [[1, { input: 'a' }], '1:15 the text ends before its last ]']],
    ['json', 'a second value', '[] 1', ['1:4 this is not JSON: unexpected "1" after its end']],
    ['json', 'no list', '7', ['1:1 this must be a list of cases, or an object that holds one']],
    ['json', 'an empty list next to another member', '{"cases": [], "message": "none"}', [{ message: 'none' }]],
    [
      'json',
      'an object of another tool',
      '{"data": [{"input":"a"}, {"input":"b"}], "meta": {"page": 1}}',
      [
        [1, { input: 'a' }],
        [2, { input: 'b' }],
      ],
    ],
    [
      'json',
      'an object without a list',
      '{"meta": {"page": 1}}',
      ['1:1 this must be a list of cases, or an object that holds one as `cases`'],
    ],
    ['json', 'an object with a name and no cases', '{"name": "N", "cases": []}', [{ name: 'N' }]],
    ['json', 'a list that is closed as an object', '[{"input":"a"}}', ['1:15 this is not JSON: unexpected "}"']],
  ])('%s: %s, however the bytes are cut', async (format, _name, text, expected) => {
    expect(await rowsOf(format, text)).toEqual(expected);
    expect(await rowsOf(format, text, 1)).toEqual(expected);
  });

  test.each<[CaseFormat, string, RegExp]>([
    ['json', ' ', /empty/],
    ['json', `{"name": ${'['.repeat(50_000)}`, /nested deeper/],
    ['csv', `input\n"${'x'.repeat(2_000_001)}`, /line 2: .*quote/],
    ['jsonl', `{}\n"${'x'.repeat(2_000_001)}`, /line 2 is longer/],
  ])('%s that cannot be read on ends it: %.20s', async (format, text, message) => {
    expect((await rowsOf(format, text)).at(-1)).toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(message),
    });
  });

  const cell = fc.string({
    unit: fc.constantFrom('a', ' ', ',', ';', '"', '\n', '\r\n', '\t', 'é', '[', '}'),
    maxLength: 8,
  });

  test('every CSV row written with quotes is read back unchanged', async () => {
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(cell, cell), { maxLength: 5 }),
        fc.integer({ min: 1, max: 9 }),
        async (rows, size) => {
          const text = ['input,reference', ...rows.map((cells) => cells.map(quoted).join(','))].join('\n');
          const values = (await rowsOf('csv', text, size)).map((row) => (Array.isArray(row) ? row[1] : row));
          expect(values).toEqual(
            rows.flatMap(([input, reference]) =>
              input === '' && reference === '' ? [] : [{ input, reference: reference === '' ? null : reference }],
            ),
          );
        },
      ),
    );
  });

  test('every JSON list is read back unchanged for any formatting and chunking', async () => {
    const cases = fc.array(fc.record({ input: cell, metadata: fc.jsonValue({ maxDepth: 3 }) }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        cases,
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: 1, max: 9 }),
        async (list, indent, size) => {
          const same: unknown = JSON.parse(JSON.stringify(list));
          for (const whole of [list, { cases: list }]) {
            const rows = await rowsOf('json', JSON.stringify(whole, null, indent), size);
            expect(rows.map((row) => (Array.isArray(row) ? row[1] : row))).toEqual(same);
          }
        },
      ),
    );
  });
});
