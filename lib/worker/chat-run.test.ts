import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { startBatch } from '#lib/batches/start-batch.ts';
import type { ChatFile, ChatMessage } from '#lib/core/chat/chat-message.ts';
import type { Result } from '#lib/core/problem.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { exportDataset } from '#lib/datasets/export-dataset.ts';
import { importCases } from '#lib/datasets/import-cases.ts';
import { DEFAULT_IMPORT_OPTIONS } from '#lib/datasets/import-options.ts';
import { ALL_CASES, findDataset, listCases } from '#lib/datasets/queries.ts';
import { updateDataset } from '#lib/datasets/update-dataset.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { findFile, markFilesUsed, protectFiles, removeUnusedFiles, storeFile } from '#lib/files/stored-files.ts';
import { savePlaygroundRun } from '#lib/prompts/playground-runs.ts';
import { playgroundRunSchema } from '#lib/prompts/playground-schema.ts';
import type { ModelCaller, ModelRequest } from '#lib/providers/call/model-caller.ts';
import { createDataset } from '#lib/testing/create-dataset.ts';
import { PRACTICE_WRITING, recordOf, TESTER, testContext, testWorkerContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { listDeliveries } from '#lib/webhooks/queries.ts';
import { saveWebhook } from '#lib/webhooks/save-webhook.ts';
import { performRun } from './perform-run.ts';

const db = useTestDatabase();
const context = () => testContext(db.database());
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let image: ChatFile;
let conversation: ChatMessage[];

function granted<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
}

beforeEach(async () => {
  const { id, mediaType } = granted(await storeFile(context(), TESTER, { bytes: PNG, name: 'pixel.png' }));
  image = { type: 'file', file: id, mediaType, name: 'pixel.png' };
  conversation = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello.' },
    { role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] },
  ];
});

/** Performs a run of one case and returns its model requests and its record. */
async function performed(settings: ExperimentSettingsInput, input: unknown) {
  const { id } = granted(await createExperiment(context(), TESTER, { name: 'chat', ...settings }));
  const started = granted(await startBatch(context(), TESTER, id, { input }, { idempotencyKey: null, watched: false }));
  const runId = started.runIds[0] ?? '';
  const requests: ModelRequest[] = [];
  const worker = testWorkerContext(context());
  const call: ModelCaller = (request, options) => {
    requests.push(request);
    return worker.call(request, options);
  };
  await performRun({ ...worker, call }, runId);
  const record = await recordOf(db.database(), runId);
  return { requests, record };
}

const CHAT = { ...PRACTICE_WRITING, prompts: { generate: '{{role "system"}}\nBe brief.\n{{history}}' } };

describe('a run on a conversation with an image', () => {
  test('sends the messages, includes the image for judges and revisions, and stores the messages', async () => {
    const { requests, record } = await performed(CHAT, conversation);
    const [first] = requests;
    expect(first).toMatchObject({
      role: 'generate',
      messages: [{ role: 'system', content: 'Be brief.' }, ...conversation],
    });
    const judged = requests.find(({ role }) => role === 'evaluate');
    expect(judged?.files).toEqual([image]);
    expect(judged?.prompt).toContain('User: Hi\n\nAssistant: Hello.\n\nUser: What is this?\n[image pixel.png');
    expect(requests.find(({ role }) => role === 'revise')?.files).toEqual([image]);
    expect(record).toMatchObject({ status: 'finished', failure: null, case: { messages: conversation } });
    expect(record.case.input).toContain('User: Hi\n\nAssistant: Hello.');
  });

  test('fills template fields from a JSON input', async () => {
    const settings = { ...PRACTICE_WRITING, prompts: { generate: '{{role "user"}}\nWrite to {{input.who.name}}.' } };
    const { requests, record } = await performed(settings, { who: { name: 'Ada' } });
    expect(requests[0]?.messages).toEqual([{ role: 'user', content: 'Write to Ada.' }]);
    expect(JSON.parse(record.case.input)).toEqual({ who: { name: 'Ada' } });
  });

  test('sends the messages to a webhook that makes decisions', async () => {
    granted(await saveWebhook(context(), TESTER, { name: 'gate', url: 'https://example.com/gate' }));
    const settings = { ...CHAT, maxIterations: 0, callbacks: { pause: 'always' as const, webhook: 'gate' } };
    await performed(settings, conversation);
    const { items } = await listDeliveries(db.database(), 'gate', { cursor: null, limit: 1 });
    expect(JSON.parse(items[0]?.request ?? '')).toMatchObject({ messages: conversation });
  });

  test('a plain text run has no messages', async () => {
    const { requests, record } = await performed(PRACTICE_WRITING, 'Explain rate limits');
    expect(requests.filter((request) => 'messages' in request || 'files' in request)).toEqual([]);
    expect(record.case).not.toHaveProperty('messages');
  });

  test.each<[string, () => unknown, string]>([
    [
      'an unknown file',
      () => [{ role: 'user', content: [{ ...image, file: 'b'.repeat(64) }] }],
      'input names the file bbbbbbbb, which is not stored',
    ],
    [
      'another media type than that of the file',
      () => [{ role: 'user', content: [{ ...image, mediaType: 'image/jpeg' }] }],
      'is image/jpeg, but it is image/png',
    ],
    [
      'files of more than 20 MB in total',
      async () => {
        const files = await Promise.all(
          ['a', 'b', 'c'].map(async (letter) => {
            const stored = await storeFile(context(), TESTER, { bytes: Buffer.alloc(7_000_000, letter), name: null });
            const { id: file, mediaType } = granted(stored);
            return { type: 'file', file, mediaType };
          }),
        );
        return [{ role: 'user', content: files }];
      },
      'input has files of more than 20 MB together',
    ],
    ['an unknown role', () => [{ role: 'bot', content: 'a' }], 'input.0.role must be one of'],
    ['content that is a number', () => 7, 'input must be a text, a list of messages, or a JSON object or list'],
  ])('is rejected with %s', async (_name, input, message) => {
    const { id } = granted(await createExperiment(context(), TESTER, { name: 'chat', ...PRACTICE_WRITING }));
    const options = { idempotencyKey: null, watched: false };
    const refused = await startBatch(context(), TESTER, id, { input: await input() }, options);
    expect(refused).toMatchObject({ ok: false, problem: { message: expect.stringContaining(message) } });
  });
});

describe('a dataset with conversations', () => {
  async function load(text: string, format: 'jsonl' | 'csv') {
    async function* bytes() {
      yield new TextEncoder().encode(text);
    }
    return importCases(context(), TESTER, { name: 'Chats' }, { format, bytes: bytes() }, DEFAULT_IMPORT_OPTIONS);
  }

  async function exported(id: string, format: 'jsonl' | 'csv') {
    const { chunks } = granted(await exportDataset(context(), id, { format, version: null }));
    const parts: Uint8Array[] = [];
    for await (const chunk of chunks) parts.push(chunk);
    return Buffer.concat(parts).toString();
  }

  test.each(['jsonl', 'csv'] as const)('round-trips through an export as %s', async (format) => {
    const cases = [{ input: conversation, reference: 'a pixel' }, { input: 'plain' }, { input: { a: [1] } }];
    const { id } = granted(await createDataset(context(), TESTER, { name: 'Chats', cases }));
    const again = granted(await load(await exported(id, format), format));
    const of = async (dataset: string) => (await findDataset(db.database(), dataset))?.cases;
    expect(await of(again.id ?? '')).toEqual(await of(id));
    expect((await of(id))?.[0]?.messages).toEqual(conversation);
  });

  test('imports the OpenAI and Langfuse formats', async () => {
    const lines = [
      {
        messages: [
          { role: 'developer', content: 'Be brief.' },
          { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
        ],
      },
      { input: { messages: [{ role: 'user', content: 'Ho', name: 'ada' }] }, reference: 'x' },
      {
        input: [
          { role: 'user', content: 'Look' },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: 'c1', name: 'f', content: 'found' },
        ],
      },
    ];
    const { id } = granted(await load(lines.map((line) => JSON.stringify(line)).join('\n'), 'jsonl'));
    const found = await findDataset(db.database(), id ?? '');
    expect(found?.cases.map(({ messages }) => messages)).toEqual([
      [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      ],
      [{ role: 'user', content: 'Ho' }],
      [
        { role: 'user', content: 'Look' },
        { role: 'assistant', content: '', toolCalls: [{ id: 'c1', tool: 'f', arguments: '{}' }] },
        { role: 'tool', content: 'found', tool: 'f', toolCallId: 'c1' },
      ],
    ]);
  });

  test.each([
    [
      'an image given by URL',
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
      'input.0.content.0 is image_url without a data URL',
    ],
    [
      'an unknown file',
      { type: 'file', file: 'c'.repeat(64), mediaType: 'image/png' },
      'input names the file cccccccc',
    ],
  ])('rejects %s', async (_name, part, message) => {
    const refused = await load(JSON.stringify({ input: [{ role: 'user', content: [part] }] }), 'jsonl');
    expect(refused).toMatchObject({ ok: false, problem: { message: expect.stringContaining(message) } });
  });

  test('keeps the messages when the reference changes and replaces them when the input changes', async () => {
    const { id } = granted(await createDataset(context(), TESTER, { name: 'Chats', cases: [{ input: conversation }] }));
    granted(await updateDataset(context(), TESTER, id, { change: [{ number: 1, reference: 'r' }] }));
    const page = async () => (await listCases(db.database(), id, ALL_CASES, { cursor: 0, limit: 10 })).items[0];
    expect(await page()).toMatchObject({ reference: 'r', messages: conversation });
    granted(await updateDataset(context(), TESTER, id, { change: [{ number: 1, input: 'plain' }] }));
    expect(await page()).toMatchObject({ input: 'plain', messages: undefined });
  });
});

describe('stored files', () => {
  test('are stored once per content and returned with the uploaded name', async () => {
    const again = granted(await storeFile(context(), TESTER, { bytes: PNG, name: 'other.png' }));
    expect(again).toEqual({ id: image.file, mediaType: 'image/png', size: PNG.length, name: 'other.png' });
    expect((await findFile(db.database(), image.file))?.bytes).toEqual(new Uint8Array(PNG));
  });

  test.each([
    ['an empty file', new Uint8Array(), 'The file is empty.'],
    ['an executable', new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0]), 'The content of the file is none of'],
    ['more than 10 MB', new Uint8Array(10_000_001).fill(65), 'larger than 10 MB'],
  ])('reject %s', async (_name, bytes, message) => {
    const refused = await storeFile(context(), TESTER, { bytes, name: null });
    expect(refused).toMatchObject({ ok: false, problem: { message: expect.stringContaining(message) } });
  });

  test.each<[string, Uint8Array, string]>([
    ['SVG, which can contain scripts', Buffer.from('<svg onload="alert(1)"/>'), 'text/plain'],
    ['HTML', Buffer.from('<script>alert(1)</script>'), 'text/plain'],
    ['PDF', Buffer.from('%PDF-1.7\n'), 'application/pdf'],
    ['JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1]), 'image/jpeg'],
  ])('detect the type of %s from its content', async (_name, bytes, mediaType) => {
    expect(granted(await storeFile(context(), TESTER, { bytes, name: 'x.png' })).mediaType).toBe(mediaType);
  });

  test('are deleted after a day without use, unless a case refers to them', async () => {
    const { id: unused } = granted(await storeFile(context(), TESTER, { bytes: Buffer.from('unused'), name: null }));
    granted(await createDataset(context(), TESTER, { name: 'Chats', cases: [{ input: conversation }] }));
    const isThere = async (id: string) => (await findFile(db.database(), id)) !== null;
    await removeUnusedFiles(db.database(), new Date(Date.now() + 23 * 3_600_000));
    expect([await isThere(unused), await isThere(image.file)]).toEqual([true, true]);
    await removeUnusedFiles(db.database(), new Date(Date.now() + 25 * 3_600_000));
    expect([await isThere(unused), await isThere(image.file)]).toEqual([false, true]);
  });

  test('update their last use at most once an hour, so that imports do not block each other', async () => {
    const at = new Date();
    const { prisma } = db.database();
    const cases = [{ messages: conversation }];
    expect(await protectFiles(prisma, cases, at, () => 'input')).toBeNull();
    const usedAt = async () => (await prisma.storedFile.findUnique({ where: { sha256: image.file } }))?.usedAt;
    const before = await usedAt();
    await markFilesUsed(prisma, cases, new Date(at.getTime() + 1_800_000));
    expect(await usedAt()).toEqual(before);
    const later = new Date(at.getTime() + 7_200_000);
    await markFilesUsed(prisma, cases, later);
    expect(await usedAt()).toEqual(later);
  });

  test('are kept while a playground run refers to them', async () => {
    const { id, mediaType } = granted(await storeFile(context(), TESTER, { bytes: Buffer.from('typed'), name: null }));
    const messages = [{ role: 'user', content: [{ type: 'file', file: id, mediaType }] }];
    const asked = { text: 'Describe it.', cases: [{ messages }], setup: {}, answers: [] };
    const run = playgroundRunSchema.parse({ id: randomUUID(), createdAt: new Date().toISOString(), ...asked });
    await savePlaygroundRun(context(), TESTER, null, run);
    await removeUnusedFiles(db.database(), new Date(Date.now() + 25 * 3_600_000));
    expect(await findFile(db.database(), id)).not.toBeNull();
  });
});
