import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Result } from '#lib/core/problem.ts';
import { closeDatabase, openDatabase } from '#lib/database/database.ts';
import { findFile } from '#lib/files/stored-files.ts';
import { createDataset } from '#lib/testing/create-dataset.ts';
import { TESTER, testContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { exportDataset } from './export-dataset.ts';
import { type CaseUpload, type Imported, type ImportTarget, importCases } from './import-cases.ts';
import { DEFAULT_IMPORT_OPTIONS, type ImportOptions } from './import-options.ts';
import { ALL_CASES, findDataset, listCases } from './queries.ts';

const db = useTestDatabase();
const context = () => testContext(db.database());

function upload(text: string, format: CaseUpload['format'] = 'jsonl'): CaseUpload {
  async function* bytes() {
    yield new TextEncoder().encode(text);
  }
  return { format, bytes: bytes() };
}

async function load(
  text: string,
  options: Partial<ImportOptions> = {},
  target: ImportTarget = { name: 'Questions' },
  format: CaseUpload['format'] = 'jsonl',
): Promise<Result<Imported>> {
  return importCases(context(), TESTER, target, upload(text, format), { ...DEFAULT_IMPORT_OPTIONS, ...options });
}

function granted<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
}

const lines = (...rows: object[]) => rows.map((row) => JSON.stringify(row)).join('\n');
const datasets = () => db.database().prisma.dataset.count();

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const PNG_URL = `data:image/png;base64,${PNG.toString('base64')}`;
const asked = (...parts: object[]) => [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, ...parts] }];

test('imports one object with a list if the mapping names its input', async () => {
  const row = lines({ ticket: 'A refund?', items: [{ sku: 1 }] });
  const mapping = { ticket: 'input', items: 'metadata' };
  const { id } = granted(await load(row, { mapping }));
  expect(granted(await load(row, { mapping: 'suggest' }, { datasetId: id ?? '' })).caseCount).toBe(2);
  expect(await load(lines({ items: [{ sku: 1 }], notes: [{}] }), { mapping })).toMatchObject({
    problem: { message: expect.stringContaining('this object holds its cases') },
  });
});

test.each(['json', 'jsonl'] as const)('imports the items in a response of Langfuse as %s', async (format) => {
  const items = ['a', 'b'].map((id) => ({ id, input: `Question ${id}`, expectedOutput: `Answer ${id}` }));
  const response = lines({ data: items, meta: { page: 1, limit: 50, totalItems: 2, totalPages: 1 } });
  const { id } = granted(await load(response, { mapping: 'suggest' }, { name: 'Langfuse' }, format));
  const cases = await db.database().prisma.datasetCase.findMany({ where: { datasetId: id ?? '' } });
  expect(cases.map(({ input, reference }) => [input, reference])).toEqual([
    ['Question a', 'Answer a'],
    ['Question b', 'Answer b'],
  ]);
});

test('marks texts of the preview that are shortened', async () => {
  const row = { input: 'a'.repeat(301), reference: 'b'.repeat(300), note: 'c'.repeat(200) };
  const { report } = granted(await load(lines(row), { dryRun: true, keepOthers: true }));
  expect(report.rows).toMatchObject([
    { input: `${'a'.repeat(300)}…`, reference: 'b'.repeat(300), metadata: [`note = ${'c'.repeat(93)}…`] },
  ]);
});

describe('import of messages with data URLs', () => {
  const file = { type: 'file', file: hash('sha256', PNG), mediaType: 'image/png' };
  const stored = () => db.database().prisma.storedFile.count();

  test.each<[string, object, object?]>([
    ['OpenAI chat', { type: 'image_url', image_url: { url: PNG_URL, detail: 'low' } }],
    ['OpenAI responses', { type: 'input_image', image_url: PNG_URL }],
    ['an OpenAI file', { type: 'file', file: { file_data: PNG_URL, filename: 'a.png' } }, { name: 'a.png' }],
    ['the AI SDK', { type: 'file', data: PNG_URL, mediaType: 'image/jpeg', filename: 'b.png' }, { name: 'b.png' }],
    ['Anthropic', { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG.toString('base64') } }],
  ])('stores an image as %s writes it', async (_name, part, named = {}) => {
    const { id } = granted(await load(lines({ messages: asked(part) })));
    const [one] = (await findDataset(db.database(), id ?? '', 10))?.cases ?? [];
    expect(one?.messages).toEqual(asked({ ...file, ...named }));
    expect(await findFile(db.database(), file.file)).toMatchObject({ bytes: new Uint8Array(PNG) });
  });

  test.each<[string, CaseUpload['format'], string]>([
    ['JSON', 'json', JSON.stringify([{ input: asked({ type: 'image_url', image_url: { url: PNG_URL } }) }])],
    [
      'CSV',
      'csv',
      `messages\n"${JSON.stringify(asked({ type: 'image_url', image_url: { url: PNG_URL } })).replaceAll('"', '""')}"`,
    ],
  ])('reads them from %s', async (_name, format, text) => {
    const { id } = granted(await load(text, {}, { name: 'Images' }, format));
    const [one] = (await findDataset(db.database(), id ?? '', 10))?.cases ?? [];
    expect(one?.messages).toEqual(asked(file));
  });

  test('refuses audio and gives the reason', async () => {
    const part = { type: 'input_audio', input_audio: { data: 'AAEC', format: 'wav' } };
    expect(await load(lines({ messages: asked(part) }))).toMatchObject({
      problem: { message: expect.stringContaining('is input_audio. Hone cannot store audio') },
    });
  });

  test('reads function calls of old OpenAI messages with their results', async () => {
    const messages = [
      { role: 'user', content: 'What is the weather?' },
      { role: 'assistant', content: null, function_call: { name: 'weather', arguments: '{"city":"Bern"}' } },
      { role: 'function', name: 'weather', content: 'sunny' },
      { role: 'assistant', content: 'Sunny.', function_call: null },
      { role: 'user', content: 'Thanks.' },
    ];
    const { id } = granted(await load(lines({ messages }), {}, { name: 'Functions' }));
    const [one] = (await findDataset(db.database(), id ?? '', 10))?.cases ?? [];
    expect(one?.messages).toEqual([
      { role: 'user', content: 'What is the weather?' },
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: 'call_1', tool: 'weather', arguments: '{"city":"Bern"}' }],
      },
      { role: 'tool', content: 'sunny', tool: 'weather', toolCallId: 'call_1' },
      { role: 'assistant', content: 'Sunny.' },
      { role: 'user', content: 'Thanks.' },
    ]);
  });

  const called = { type: 'text', text: 'I look.' };
  test.each<[string, object[]]>([
    [
      'Anthropic',
      [
        {
          role: 'assistant',
          content: [called, { type: 'tool_use', id: 'toolu_1', name: 'find', input: { q: 'box' } }],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'a box' }] },
            { type: 'text', text: 'Go on.' },
          ],
        },
      ],
    ],
    [
      'AI SDK 5',
      [
        {
          role: 'assistant',
          content: [called, { type: 'tool-call', toolCallId: 'toolu_1', toolName: 'find', input: { q: 'box' } }],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'toolu_1',
              toolName: 'find',
              output: { type: 'text', value: 'a box' },
            },
          ],
        },
        { role: 'user', content: 'Go on.' },
      ],
    ],
    [
      'AI SDK 4',
      [
        {
          role: 'assistant',
          content: [called, { type: 'tool-call', toolCallId: 'toolu_1', toolName: 'find', args: { q: 'box' } }],
        },
        {
          role: 'tool',
          content: [{ type: 'tool-result', toolCallId: 'toolu_1', toolName: 'find', result: 'a box' }],
        },
        { role: 'user', content: 'Go on.' },
      ],
    ],
  ])('reads tool calls and results in the content of %s messages', async (name, messages) => {
    const { id } = granted(await load(lines({ messages: [...asked(), ...messages] }), {}, { name }));
    const [one] = (await findDataset(db.database(), id ?? '', 10))?.cases ?? [];
    expect(one?.messages?.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [called],
        toolCalls: [{ id: 'toolu_1', tool: 'find', arguments: '{"q":"box"}' }],
      },
      { role: 'tool', content: 'a box', tool: 'find', toolCallId: 'toolu_1' },
      { role: 'user', content: name === 'Anthropic' ? [{ type: 'text', text: 'Go on.' }] : 'Go on.' },
    ]);
  });

  test('reads results of several calls, without text and in JSON', async () => {
    const call = (id: string) => ({ type: 'tool-call', toolCallId: id, toolName: `find_${id}`, input: {} });
    const result = (toolCallId: string, output: object) => ({ type: 'tool-result', toolCallId, output });
    const messages = [
      ...asked(),
      { role: 'assistant', content: [call('a'), call('b')] },
      {
        role: 'tool',
        content: [
          result('a', { type: 'json', value: { found: 1 } }),
          result('b', {
            type: 'content',
            value: [
              { type: 'text', text: 'x' },
              { type: 'text', text: 'y' },
            ],
          }),
        ],
      },
    ];
    const { id } = granted(await load(lines({ messages }), {}, { name: 'Results' }));
    const [one] = (await findDataset(db.database(), id ?? '', 10))?.cases ?? [];
    expect(one?.messages?.slice(1)).toEqual([
      {
        role: 'assistant',
        content: '',
        toolCalls: ['a', 'b'].map((id) => ({ id, tool: `find_${id}`, arguments: '{}' })),
      },
      { role: 'tool', content: '{"found":1}', tool: 'find_a', toolCallId: 'a' },
      { role: 'tool', content: 'x\ny', tool: 'find_b', toolCallId: 'b' },
    ]);
  });

  const PNG_DATA = PNG.toString('base64');
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG_DATA } };
  const linked = { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } };
  const media = { type: 'media', mediaType: 'image/png', data: PNG_DATA };
  test.each<[string, object, string, number]>([
    ['Anthropic', { content: [{ type: 'text', text: 'a box' }, image] }, 'a box', 1],
    ['Anthropic, without text', { content: [image, image] }, 'The result is in the next message.', 2],
    ['Anthropic, as an address', { content: [linked] }, JSON.stringify(linked), 0],
    ['AI SDK', { output: { type: 'content', value: [{ type: 'text', text: 'a box' }, media] } }, 'a box', 1],
  ])('stores images in a tool result of %s as files of the next message', async (name, result, content, files) => {
    const call = { type: 'tool_use', id: 'toolu_1', name: 'find', input: {} };
    const messages = [
      ...asked(),
      { role: 'assistant', content: [call] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', ...result }] },
    ];
    const { id } = granted(await load(lines({ messages }), {}, { name: `Images of ${name}` }));
    const [one] = (await findDataset(db.database(), id ?? '', 10))?.cases ?? [];
    const file = { type: 'file', file: expect.any(String), mediaType: 'image/png' };
    expect(one?.messages?.slice(2)).toEqual([
      { role: 'tool', content, tool: 'find', toolCallId: 'toolu_1' },
      ...(files === 0 ? [] : [{ role: 'user', content: Array(files).fill(file) }]),
    ]);
  });

  test('reports the path of an image in a tool result that cannot be read', async () => {
    const broken = { ...image, source: { ...image.source, data: '%' } };
    const result = { type: 'tool_result', tool_use_id: 'a', content: [broken] };
    const messages = [...asked(), { role: 'user', content: [{ type: 'text', text: 'Look' }, result] }];
    expect(await load(lines({ messages }))).toMatchObject({
      problem: { message: expect.stringContaining('input.1.content.1 is a data URL') },
    });
  });

  test('puts the result of a tool that the provider ran after its call', async () => {
    const call = { type: 'tool-call', toolCallId: 'a', toolName: 'search', input: {}, providerExecuted: true };
    const result = {
      type: 'tool-result',
      toolCallId: 'a',
      toolName: 'search',
      output: { type: 'text', value: 'found' },
    };
    const messages = [...asked(), { role: 'assistant', content: [call, result, called] }];
    const { id } = granted(await load(lines({ messages }), {}, { name: 'Run by the provider' }));
    const [one] = (await findDataset(db.database(), id ?? '', 10))?.cases ?? [];
    expect(one?.messages?.slice(1)).toEqual([
      { role: 'assistant', content: [called], toolCalls: [{ id: 'a', tool: 'search', arguments: '{}' }] },
      { role: 'tool', content: 'found', tool: 'search', toolCallId: 'a' },
    ]);
  });

  test.each([
    [{ result: { type: 'weight', value: 3, unit: 'kg' } }, '{"type":"weight","value":3,"unit":"kg"}'],
    [{ output: { type: 'json', value: [{ a: 1 }, { a: 2 }] } }, '[{"a":1},{"a":2}]'],
  ])('keeps the whole result %j', async (given, content) => {
    const call = { type: 'tool-call', toolCallId: 'a', toolName: 'find', input: {} };
    const results = { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'find', ...given }] };
    const messages = [...asked(), { role: 'assistant', content: [call] }, results];
    const { id } = granted(await load(lines({ messages }), {}, { name: `Whole ${Object.keys(given).join()}` }));
    const [one] = (await findDataset(db.database(), id ?? '', 10))?.cases ?? [];
    expect(one?.messages?.at(-1)?.content).toBe(content);
  });

  test('reports the path of an invalid tool call', async () => {
    const call = (id: string, name: string, args: string) => ({ id, function: { name, arguments: args } });
    const calls = { role: 'assistant', content: '', tool_calls: [call('1', 'find', ''), call('2', '', '{')] };
    expect(await load(lines({ messages: [...asked(), calls] }))).toMatchObject({
      problem: { message: expect.stringContaining('input.1.toolCalls.1.tool must not be empty') },
    });
  });

  test.each([
    [
      'a part',
      'input.2.content.1 is image_url',
      { type: 'image_url', image_url: { url: 'https://example.org/a.png' } },
    ],
    ['a field of a part', 'input.2.content.1.file must be', { type: 'file', file: 'x', mediaType: 'image/png' }],
    ['a message', 'input.2.content must be', { type: 'poem' }],
  ])('reports the path in the file of %s after tool results', async (_name, path, part) => {
    const call = (id: string) => ({ type: 'tool_use', id, name: 'find', input: {} });
    const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'x' });
    const messages = [
      ...asked(),
      { role: 'assistant', content: [call('a'), call('b')] },
      { role: 'user', content: [result('a'), part, result('b')] },
    ];
    expect(await load(lines({ messages }))).toMatchObject({ problem: { message: expect.stringContaining(path) } });
  });

  test('checks files in a dry run without storing them', async () => {
    const before = await stored();
    const other = `data:text/plain,${encodeURIComponent('A note that no other test has.')}`;
    const checked = granted(
      await load(lines({ messages: asked({ type: 'input_file', file_data: other }) }), { dryRun: true }),
    );
    expect(checked.report).toMatchObject({ ready: 1, wrong: 0 });
    expect(await stored()).toBe(before);
  });

  test.each([
    ['of another type', 'data:image/png;base64,AAECAw==', 'is a file of an unsupported type. Supported: image/png'],
    ['that is not base64', 'data:image/png;base64,%%%', 'whose content cannot be decoded'],
    ['that is empty', 'data:image/png;base64,', 'without content'],
    ['given by URL', 'https://example.org/a.png', 'without a data URL. Hone does not fetch addresses'],
  ])('names the line of a file %s', async (_name, url, message) => {
    const good = { messages: asked({ type: 'image_url', image_url: { url: PNG_URL } }) };
    const refused = await load(lines(good, { messages: asked({ type: 'image_url', image_url: { url } }) }));
    expect(refused).toMatchObject({
      problem: { message: expect.stringMatching(/^line 2, column 2: input.0.content.1 is /) },
    });
    expect(refused).toMatchObject({ problem: { message: expect.stringContaining(message) } });
  });

  const note = (text: string) => ({
    messages: asked({ type: 'input_file', file_data: `data:text/plain,${encodeURIComponent(text)}` }),
  });

  test('stores no files if it is refused', async () => {
    const before = await stored();
    expect(await load(lines(note('refused 1'), { input: 7 }))).toMatchObject({ ok: false });
    const { id } = granted(await load(lines({ input: 'a' })));
    const datasetId = id ?? '';
    await db.database().prisma.dataset.update({ where: { id: datasetId }, data: { caseCount: 100_000 } });
    expect(await load(lines(note('refused 2')), {}, { datasetId })).toMatchObject({ ok: false });
    expect(await stored()).toBe(before);
  });

  test('writes one audit log entry for all its files', async () => {
    const before = await db.database().prisma.auditEntry.count();
    granted(await load(lines(note('audit 1'), note('audit 2'))));
    const entries = await db.database().prisma.auditEntry.findMany({ orderBy: { id: 'desc' }, take: 1 });
    expect(entries).toMatchObject([{ change: { cases: 2, files: 2 } }]);
    expect(await db.database().prisma.auditEntry.count()).toBe(before + 1);
  });

  test('uses the dataset name of a JSON body in the audit log', async () => {
    granted(await load(JSON.stringify({ cases: [{ input: 'a' }], name: 'Named behind' }), {}, { name: null }, 'json'));
    const [entry] = await db.database().prisma.auditEntry.findMany({ orderBy: { id: 'desc' }, take: 1 });
    expect(entry?.subjectName).toBe('Named behind');
  });

  test.each([false, true])('refuses more than 2,000 files and names the line (dry run: %s)', async (dryRun) => {
    const before = await stored();
    const rows = Array.from({ length: 2_001 }, (_, at) => note(`file ${at}`));
    expect(await load(lines(...rows), { dryRun })).toMatchObject({
      problem: { code: 'too_large', field: 'line 2001', message: expect.stringContaining('at most 2,000 files') },
    });
    expect(await stored()).toBe(before);
  });

  test('accepts a file only in a user message', async () => {
    const messages = [{ role: 'assistant', content: [{ type: 'image_url', image_url: { url: PNG_URL } }] }];
    expect(await load(lines({ messages }))).toMatchObject({
      problem: { message: expect.stringContaining('must be text in a message of the assistant') },
    });
  });
});

describe('importCases', () => {
  test.each([
    ['line 2, column 2: input must be a text', 'jsonl', '{"input":"a"}\n{"input":7}'],
    ['line 2, column 10: a colon is missing', 'jsonl', '{"input":"a"}\n{"input" "b"}'],
    ['line 2, column 2: no "input", only "question"', 'jsonl', '{"input":"a"}\n{"question":"b"}'],
    ['line 1, column 16: "colour" is not a key', 'jsonl', '{"input": "a", "colour": 1}'],
    ['line 2: no "input", only "question"', 'csv', 'question\nb'],
    ['line 1, column 33: input must be a text', 'json', '[{"input":"a"}, {"input":"b"}, {"input":7}]'],
    ['line 3, column 2: input must be a text', 'json', '[{"input":"a"},\n {\n "input":7}]'],
    ['line 3, column 1: this is not JSON', 'json', '{\n "name": "x",\n}'],
    ['It contains no cases', 'csv', 'input\n'],
    ['colour is not a known setting', 'json', '{"colour": 7, "cases": [{"input": "a"}]}'],
    ['name must be a text', 'json', '{"cases": [{"input": "a"}]}'],
  ] as const)('is refused with "%s", and nothing is stored', async (message, format, text) => {
    const before = await datasets();
    const target = { name: format === 'json' ? null : 'Bad' };
    const refused = await load(text, {}, target, format);
    expect(refused).toMatchObject({ ok: false, problem: { message: expect.stringContaining(message) } });
    expect(await datasets()).toBe(before);
  });

  test.each([
    ['line 1, column 2: cases must be a list of cases. Send a list of objects', '{"cases": 7}'],
    ['line 2, column 1: cases must be a list of cases. It is a text', '{"name": "x",\n"cases": "[{\\"input\\": 1}]"}'],
    ['version is not a known setting', '{"cases": [{"input": "a"}], "version": 1}'],
  ])('is refused with "%s", also in a dry run', async (message, text) => {
    for (const dryRun of [true, false])
      expect(await load(text, { dryRun }, { name: null }, 'json')).toMatchObject({
        ok: false,
        problem: { code: 'invalid', message: expect.stringContaining(message) },
      });
  });

  test('refuses more than 100,000 cases while they arrive', async () => {
    const { id } = granted(await load('{"input":"a"}'));
    await db.database().prisma.dataset.update({ where: { id: id ?? '' }, data: { caseCount: 99_999 } });
    for (const dryRun of [true, false]) {
      const refused = await load('{"input":"b"}\n{"input":"c"}', { dryRun }, { datasetId: id ?? '' });
      expect(refused).toMatchObject({ problem: { message: expect.stringContaining('at most 100,000') } });
    }
    expect(await findDataset(db.database(), id ?? '')).toMatchObject({ latestVersion: 1 });
  });

  test('counts no omitted duplicates towards the maximum', async () => {
    const { id } = granted(await load('{"input":"a"}\n{"input":"b"}'));
    const datasetId = id ?? '';
    await db.database().prisma.dataset.update({ where: { id: datasetId }, data: { caseCount: 99_999 } });
    const text = '{"input":"a"}\n{"input":"b"}\n{"input":"c"}';
    for (const dryRun of [true, false])
      expect(await load(text, { same: 'leave_out', dryRun }, { datasetId })).toMatchObject({ ok: true });
  });

  test('skips invalid lines and duplicates if requested', async () => {
    const text = lines(
      { input: 'a', tags: ['x'] },
      { input: 'b', metadata: { p: 1, q: 2 } },
      { input: 7 },
      { input: 'a' },
    );
    const first = granted(await load(text, { wrong: 'leave_out', same: 'leave_out' }));
    expect(first).toMatchObject({ version: 1, caseCount: 2, report: { ready: 2, wrong: 1, same: 1 } });
    const more = lines({ input: 'b', metadata: { q: 2, p: 1 } }, { input: 'b' }, { input: 'c' });
    const id = first.id ?? '';
    const second = granted(await load(more, { same: 'leave_out', message: 'More' }, { datasetId: id }));
    expect(second).toMatchObject({ version: 2, caseCount: 4, report: { sameAs: [{ line: 1, as: 'case 2' }] } });
    const old = await listCases(db.database(), id, { ...ALL_CASES, version: 1 }, { cursor: 0, limit: 10 });
    expect(old.items.map(({ input }) => input)).toEqual(['a', 'b']);
    expect((await findDataset(db.database(), id))?.cases.map(({ input }) => input)).toEqual(['a', 'b', 'b', 'c']);
  });

  test('maps other keys to input and reference and keeps the rest as metadata', async () => {
    const options = { mapping: { question: 'input', answer: 'reference' }, keepOthers: true };
    const { id } = granted(await load('question,answer,level\nWhat?,42,easy', options, { name: 'Table' }, 'csv'));
    expect((await findDataset(db.database(), id ?? ''))?.cases).toEqual([
      { input: 'What?', reference: '42', tags: [], metadata: { level: 'easy' } },
    ]);
  });

  test('suggests a mapping from the column names and remembers the last one', async () => {
    const csv = '\uFEFFFrage;Antwort;topic\r\n"Wie; lange?";10 min;paging\r\n';
    const looked = granted(await load(csv, { mapping: 'suggest', dryRun: true }, { name: 'Table' }, 'csv'));
    expect(looked.report).toMatchObject({
      columns: [{ name: 'Frage', samples: ['Wie; lange?'] }, { name: 'Antwort' }, { name: 'topic' }],
      mapping: { Frage: 'input', Antwort: 'metadata', topic: 'tags' },
      mappingSource: 'suggested',
    });
    const mapping = { Frage: 'input', Antwort: 'reference', topic: 'variable.topic' };
    const { id } = granted(await load(csv, { mapping }, { name: 'Table' }, 'csv'));
    const datasetId = id ?? '';
    expect((await findDataset(db.database(), datasetId))?.cases).toEqual([
      { input: 'Wie; lange?', reference: '10 min', tags: [], metadata: { topic: 'paging' } },
    ]);
    const again = 'topic\tFrage\tAntwort\nlimits\tWie viele?\t600';
    const next = granted(await load(again, { mapping: 'suggest' }, { datasetId }, 'csv'));
    expect(next.report).toMatchObject({ mapping, mappingSource: 'remembered' });
    await load('{"input": "own"}', {}, { datasetId });
    const third = granted(await load(again, { mapping: 'suggest', dryRun: true }, { datasetId }, 'csv'));
    expect(third.report.mappingSource).toBe('remembered');
    expect(await findDataset(db.database(), datasetId)).not.toHaveProperty('importMapping');
  });

  test('reports every invalid row of a mapped table', async () => {
    const csv = 'question,answer\na,1\n,2\nb\n,3';
    const looked = granted(await load(csv, { mapping: 'suggest', dryRun: true }, { name: 'Table' }, 'csv'));
    expect(looked.report.faults.map(({ line, message }) => [line, message])).toEqual([
      [3, 'input must not be empty'],
      [4, 'this row has 1 column, but the header has 2'],
      [5, 'input must not be empty'],
    ]);
  });

  test('splits new cases; tagged and stored cases keep their split', async () => {
    const rows = Array.from({ length: 12 }, (_, at) => ({
      input: `case ${at}`,
      tags: at === 0 ? ['held_out'] : ['x'],
    }));
    const { id } = granted(await load(lines(...rows.slice(0, 4))));
    const division = { heldOutShare: 0.5, validationShare: 0.25, seed: 7, balanceBy: 'tag' as const };
    const { report } = granted(await load(lines(...rows.slice(4)), { division }, { datasetId: id ?? '' }));
    expect(report.splits).toEqual({
      before: { train: 0, validation: 0, held_out: 1, undivided: 3 },
      after: { train: 3, validation: 1, held_out: 5, undivided: 3 },
    });
    expect(await findDataset(db.database(), id ?? '')).toMatchObject({ train: 3, validation: 1, heldOut: 5 });
    const { items } = await listCases(db.database(), id ?? '', ALL_CASES, { cursor: 0, limit: 20 });
    expect(items.slice(4).map(({ split }) => split)).toEqual(report.rows.map(({ split }) => split));
  });

  test('a dry run reports what would be stored, with warnings, and stores nothing', async () => {
    await load(lines({ input: 'Held there', tags: ['held_out'] }), {}, { name: 'Guarded' });
    const before = await datasets();
    const text = lines(
      { input: 'Held there' },
      { input: 'Is the answer 600 a minute?', reference: '600 a minute' },
      { input: 'Mail ada@example.org about it', reference: 'ok' },
      { input: 'Subtract', reference: 'tract' },
      { input: 'Name one', reference: JSON.stringify(Array.from({ length: 501 }, (_, at) => `Alias ${at}`)) },
    );
    const looked = granted(await load(`${text}\n{"input" "x"}\n{"question": "y"}`, { dryRun: true }));
    expect(looked.id).toBeNull();
    expect(looked.report).toMatchObject({
      ready: 5,
      wrong: 2,
      faults: [
        { line: 6, column: 10, mend: { kind: 'edit', insert: ':' } },
        { line: 7, column: 2, length: 10, mend: { kind: 'read_as', key: 'question', as: 'input' } },
      ],
      checks: {
        noReference: 1,
        leaks: { count: 1, lines: [1], datasets: ['Guarded'] },
        answersInside: { count: 1, lines: [2] },
        secrets: { count: 1, lines: [3], kinds: ['e-mail'], looked: 5 },
        tooManyAnswers: { count: 1, lines: [5] },
      },
    });
    expect(looked.report.rows.map(({ state }) => state)).toEqual([
      'ready',
      'ready',
      'ready',
      'ready',
      'ready',
      'wrong',
      'wrong',
    ]);
    expect(await datasets()).toBe(before);
  });
});

test('an export can be imported unchanged', async () => {
  const cases = [
    { input: 'a,"b"\n=c', reference: 'd', tags: ['x', 'held_out'], metadata: { level: 'easy', of: 'ä' } },
    { input: 'b', reference: null, tags: [], metadata: {} },
    { input: '-5', reference: '-5', tags: ['=x', 'a;b', 'say "c"'], metadata: { level: '+1', of: '@z' } },
    { input: "'=x", reference: "''-5", tags: ['"quoted"', "'"], metadata: { level: "'", of: "''" } },
    { input: '\n=1', reference: '', tags: ['', 'y;"z"'], metadata: { level: '', of: '\t' } },
    { input: "'", reference: "'quoted'", tags: [], metadata: { of: "'tis", 'a;b;c;d;e|f': '＝1' } },
    ...['', "'", '\n', " \n'"].map((before) => {
      return { input: `${before}[{"role":"user","content":"Hi"}]`, reference: null, tags: [], metadata: {} };
    }),
  ];
  const { id } = granted(await createDataset(context(), TESTER, { name: 'Round trip', cases }));
  for (const format of ['jsonl', 'csv'] as const) {
    const { name, chunks } = granted(await exportDataset(context(), id, { format, version: null }));
    expect(name).toBe(`round-trip-v1.${format}`);
    const again = await importCases(
      context(),
      TESTER,
      { name: 'Again' },
      { format, bytes: chunks },
      DEFAULT_IMPORT_OPTIONS,
    );
    expect((await findDataset(db.database(), granted(again).id ?? ''))?.cases).toEqual(cases);
  }
});

test('an apostrophe in a table of another tool is part of the text', async () => {
  const table = "input,reference\n'=' or '=='?,'-5\n";
  const { id } = granted(await load(table, {}, { name: 'Other' }, 'csv'));
  expect((await findDataset(db.database(), id ?? ''))?.cases).toMatchObject([
    { input: "'=' or '=='?", reference: "'-5" },
  ]);
});

test('exports negative numbers in metadata as numbers', async () => {
  const cases = [{ input: 'a', reference: null, tags: [], metadata: { offset: -1.5, sure: true, parts: [1] } }];
  const { id } = granted(await createDataset(context(), TESTER, { name: 'Numbers', cases }));
  const { chunks } = granted(await exportDataset(context(), id, { format: 'csv', version: null }));
  const parts: Uint8Array[] = [];
  for await (const part of chunks) parts.push(part);
  const [, row] = Buffer.concat(parts).toString().split('\r\n');
  expect(row).toBe('a,,,-1.5,[1],true');
});

test('holds no database connection while rows are read and checked', async () => {
  const own = openDatabase(db.connectionString, { maxConnections: 1 });
  try {
    let answers = 0;
    async function* bytes() {
      for (let at = 0; at < 3; at++) {
        answers += (await own.pool.query('SELECT 1')).rows.length;
        yield Buffer.from(`{"input": "${at}"}\n`);
      }
    }
    const upload = { format: 'jsonl' as const, bytes: bytes() };
    const imported = await importCases(testContext(own), TESTER, { name: 'Read' }, upload, DEFAULT_IMPORT_OPTIONS);
    expect(granted(imported)).toMatchObject({ caseCount: 3 });
    expect(answers).toBe(3);
  } finally {
    await closeDatabase(own);
  }
});

test('stops reading an import as soon as it has too many rows', async () => {
  let taken = 0;
  async function* bytes() {
    for (; taken < 1_000; taken++) yield Buffer.from('7\n'.repeat(10_000));
  }
  const upload = { format: 'jsonl' as const, bytes: bytes() };
  const options = { ...DEFAULT_IMPORT_OPTIONS, wrong: 'leave_out' as const };
  expect(await importCases(testContext(db.database()), TESTER, { name: 'Many' }, upload, options)).toMatchObject({
    ok: false,
    problem: { code: 'too_large', message: expect.stringMatching(/at most 200,000 rows\. Split it/) },
  });
  expect(taken).toBeLessThan(25);
});
