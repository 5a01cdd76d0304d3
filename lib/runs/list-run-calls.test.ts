import { expect, test } from 'vitest';
import { PRACTICE_WRITING, queuedRun, testContext, testWorkerContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { type CallEntry, callRecordSchema, callSummarySchema } from './call-schema.ts';
import { findCall, findRunCall, listRunCalls } from './calls.ts';
import { recordCalls } from './journal.ts';

const db = useTestDatabase();
const KEY = 'sk-canary-0123456789abcdef';

/** A failed turn of an agent, with an API key in each of its texts. */
const TURN: CallEntry = {
  step: 0,
  ordinal: 0,
  fingerprint: 'f',
  role: 'turn',
  provider: 'p',
  model: 'm',
  instructions: `Use ${KEY}.`,
  prompt: `What is ${KEY}?`,
  options: { temperature: null, maxOutputTokens: 10, output: null },
  text: null,
  finishReason: null,
  failure: { kind: 'malformed', message: `No ${KEY}.`, remedy: 'Ask again.', status: 200 },
  inputTokens: 7,
  outputTokens: 5,
  costUsd: null,
  latencyMs: 12,
  attempts: 2,
  warnings: [`It said ${KEY}.`],
  conversation: {
    after: null,
    messages: [
      { role: 'assistant', text: KEY, calls: [{ id: '0.0', tool: 'search', arguments: `{"q":"${KEY}"}` }] },
      { role: 'tool', results: [{ id: '0.0', tool: 'search', text: KEY, isError: false }] },
    ],
    tools: [{ name: 'search', description: KEY, parameters: { type: 'object', description: KEY } }],
  },
  toolCalls: [{ id: '1.0', tool: 'search', arguments: KEY }],
  thought: KEY,
  cachedTokens: 3,
  reasoningTokens: 2,
  createdAt: '2026-01-05T10:00:00.000Z',
};

async function aRun(): Promise<string> {
  const context = testContext(db.database());
  const runId = await queuedRun(context, PRACTICE_WRITING, { input: 'Write a short note on the tide.' });
  await performRun(testWorkerContext(context), runId);
  await recordCalls(db.database(), { runId, claim: null }, [TURN]);
  return runId;
}

test('paginates and counts the calls of a run, and filters by role, version and failure', async () => {
  const runId = await aRun();
  const list = async (filter: Partial<Parameters<typeof listRunCalls>[2]>) => {
    const listed = await listRunCalls({ database: db.database() }, runId, { cursor: null, limit: 100, ...filter });
    if (listed === null) throw new Error('there is a run');
    return listed;
  };
  const { page, counts } = await list({});
  const all = callSummarySchema.array().parse(page.items);
  expect(counts).toMatchObject({ total: all.length, failed: 1 });
  for (const { role, count } of counts.roles) {
    const chosen = (await list({ role })).page.items;
    expect(chosen).toEqual(all.filter((call) => call.role === role));
    expect(chosen).toHaveLength(count);
  }
  for (const { version, count } of counts.versions) expect((await list({ version })).page.items).toHaveLength(count);
  expect((await list({ failed: true })).page.items).toMatchObject([
    { role: 'turn', failureKind: 'malformed', tools: ['search'], warnings: 1, cachedTokens: 3, reasoningTokens: 2 },
  ]);

  const paged: number[] = [];
  for (let cursor: string | null = null; ; ) {
    const { page: part } = await list({ cursor, limit: 2 });
    paged.push(...part.items.map(({ id }) => id));
    if (part.nextCursor === null) break;
    cursor = part.nextCursor;
  }
  expect(paged).toEqual(all.map(({ id }) => id));
});

test('returns a call in full with API keys redacted', async () => {
  const runId = await aRun();
  const context = { database: db.database() };
  const listed = await listRunCalls(context, runId, { failed: true, cursor: null, limit: 10 });
  const call = await findRunCall(context, runId, listed?.page.items[0]?.id ?? 0);
  expect(callRecordSchema.parse(call)).toMatchObject({
    prompt: 'What is [key]?',
    options: TURN.options,
    conversation: { messages: [{ role: 'assistant' }, { role: 'tool' }], tools: [{ name: 'search' }] },
    toolCalls: [{ id: '1.0', tool: 'search', arguments: '[key]' }],
    failure: { kind: 'malformed', message: 'No [key]', status: 200 },
    attempts: 2,
  });
  expect(JSON.stringify(call)).not.toContain('canary');
});

test('reassembles a conversation stored in parts, and warns if its beginning is missing', async () => {
  const runId = await aRun();
  const context = { database: db.database() };
  const part = (fingerprint: string, after: string | null, text: string): CallEntry => ({
    ...TURN,
    fingerprint,
    conversation: { after, messages: [{ role: 'user', text }], tools: after === null ? [] : null },
  });
  await recordCalls(db.database(), { runId, claim: null }, [part('one', null, 'a'), part('two', 'one', 'b')]);
  // A call in between, and the same request repeated after a failure.
  await recordCalls(db.database(), { runId, claim: null }, [
    part('two', 'one', 'b'),
    part('three', 'two', 'c'),
    part('lost', 'gone', 'd'),
  ]);
  const listed = await listRunCalls(context, runId, { failed: true, cursor: null, limit: 10 });
  const details = await Promise.all((listed?.page.items ?? []).map(({ id }) => findRunCall(context, runId, id)));
  const texts = details.map((call) => call?.conversation?.messages.map((message) => 'text' in message && message.text));
  expect(texts.slice(1)).toEqual([['a'], ['a', 'b'], ['a', 'b'], ['a', 'b', 'c'], undefined]);
  expect(details.at(-1)).toMatchObject({
    conversation: null,
    warnings: [expect.anything(), expect.stringMatching(/beginning/)],
  });
});

test('does not find a call of another run or of an unknown run', async () => {
  const [one, other] = [await aRun(), await aRun()];
  const context = { database: db.database() };
  const listed = await listRunCalls(context, other, { cursor: null, limit: 1 });
  const id = listed?.page.items[0]?.id ?? 0;
  expect(await findRunCall(context, other, id)).toMatchObject({ id });
  expect(await findRunCall(context, one, id)).toBeNull();
  expect(await listRunCalls(context, '00000000-0000-4000-8000-000000000000', { cursor: null, limit: 1 })).toBeNull();
});

test('reads a prompt stored with an earlier call, also if that step has references', async () => {
  const { prisma } = db.database();
  const runId = await aRun();
  const { conversation: _, toolCalls: __, failure: ___, ...plain } = TURN;
  const store = (call: { step: number; prompt: string; likeStep: number | null; kept?: number[] }) =>
    prisma.modelCall.create({
      data: { ...plain, runId, role: 'judge', ordinal: 7, quotes: [], answered: null, ...call },
    });
  await store({ step: 1, prompt: 'First.', likeStep: null });
  await store({ step: 3, prompt: 'Other.', likeStep: null });
  await store({ step: 3, prompt: '', likeStep: 1 });
  const { id } = await store({ step: 5, prompt: '', likeStep: 3 });
  expect(await findCall(db.database(), runId, id)).toMatchObject({ prompt: 'Other.' });
  await store({ step: 7, prompt: 'her', likeStep: 1, kept: [0, 3] });
  const repeated = await store({ step: 9, prompt: '', likeStep: 7 });
  await store({ step: 7, prompt: 'Saved late.', likeStep: null });
  expect(await findCall(db.database(), runId, repeated.id)).toMatchObject({ prompt: 'herst.' });
});
