import { describe, expect, test } from 'vitest';
import type { ModelCaller, ModelRequest } from '#lib/providers/call/model-caller.ts';
import { TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { claimPlaygroundRuns, KEPT_RUNS, listPlaygroundRuns } from './playground-runs.ts';
import type { PlaygroundEvent } from './playground-schema.ts';
import { createPrompt, deletePrompt } from './prompt-library.ts';
import { planPlayground, runPlayground } from './run-playground.ts';

const db = useTestDatabase();
const context = () => testContext(db.database());
const MODEL = { provider: 'practice', model: 'practice-1' };

/** Returns the text of its prompt in two pieces. */
const echo: ModelCaller = async ({ prompt }, { onText }) => {
  const text = prompt.replaceAll(/<[^>]*>/g, '').trim();
  onText?.(text.slice(0, 3));
  onText?.(text.slice(3));
  const tokenUsage = { input: 9, output: 2, total: 11 };
  return {
    ok: true,
    reply: { text, finishReason: 'stop', tokenUsage, costUsd: 0.5, latencyMs: 12.4, attempts: 1, warnings: [] },
  };
};

async function run(input: unknown, call: ModelCaller = echo, signal = new AbortController().signal) {
  const plan = unwrap(await planPlayground(context(), input));
  const events: PlaygroundEvent[] = [];
  await runPlayground(context(), TESTER, plan, { signal, emit: (event) => events.push(event), call });
  return events;
}

describe('a playground run', () => {
  test('runs an unsaved prompt on entered cases, unscored, and is stored', async () => {
    const cases = [{ input: 'a', metadata: { tone: 'dry' } }, { input: 'b' }];
    const events = await run({ text: '{{input}} {{metadata.tone}}', cases });
    expect(events.flatMap((event) => (event.type === 'text' && event.position === 0 ? event.piece : []))).toEqual([
      'a d',
      'ry',
    ]);
    expect(events.at(-2)).toMatchObject({ type: 'end', calls: 2, costUsd: 1 });
    const [kept] = await listPlaygroundRuns(context(), TESTER, null);
    expect(events.at(-1)).toEqual({ type: 'kept', run: kept });
    expect(kept).toMatchObject({
      text: '{{input}} {{metadata.tone}}',
      setup: { models: [MODEL], criteria: [] },
      answers: [
        { state: 'made', case: 0, output: 'a dry', score: null, costUsd: 0.5 },
        { state: 'made', case: 1, output: 'b {{metadata.tone}}' },
      ],
    });
  });

  test('is refused before any call if a file of a case is not stored', async () => {
    const messages = [{ role: 'user', content: [{ type: 'file', file: 'd'.repeat(64), mediaType: 'image/png' }] }];
    const refused = await planPlayground(context(), { text: '{{input}}', cases: [{ input: 'a' }, { messages }] });
    expect(refused).toMatchObject({
      problem: { field: 'cases.1.messages', message: expect.stringContaining('is not stored') },
    });
  });

  test('sends and stores the model settings of generators and judges', async () => {
    const asked: ModelRequest[] = [];
    const setup = {
      temperature: 0.3,
      modelSettings: {
        generate: { maxOutputTokens: 50, topP: 0.9, stopSequences: ['END'], headers: { 'X-Team': 'a' } },
        evaluate: { reasoningEffort: 'low', providerOptions: { user: 'b' } },
      },
      criteria: [{ name: 'clear', evaluator: 'llm' }],
    };
    await run({ text: 'Say it: {{input}}', cases: [{ input: 'a' }], setup }, (request, options) => {
      asked.push(request);
      return echo(request, options);
    });
    expect(asked[0]).toMatchObject({
      ...{ role: 'try', temperature: 0.3, maxOutputTokens: 50 },
      sampling: { topP: 0.9, stopSequences: ['END'], headers: { 'X-Team': 'a' } },
    });
    expect(asked[1]).toMatchObject({
      ...{ role: 'judge', temperature: 0 },
      sampling: { reasoningEffort: 'low', providerOptions: { user: 'b' } },
    });
    const [kept] = await listPlaygroundRuns(context(), TESTER, null);
    expect(kept?.setup).toMatchObject({ temperature: 0.3, modelSettings: setup.modelSettings });
  });

  test('reports model settings that are out of range', async () => {
    const setup = { modelSettings: { generate: { topP: 2 } } };
    expect(await planPlayground(context(), { text: '{{input}}', cases: [{ input: 'a' }], setup })).toMatchObject({
      problem: { field: 'setup.modelSettings.generate.topP' },
    });
  });

  test('sends messages and tools to the model and stores them', async () => {
    const asked: ModelRequest[] = [];
    const messages = [
      { role: 'user', content: 'Is it broken?' },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: 'Then pay it back.' },
    ];
    const tools = [
      { name: 'refund', description: '', parameters: { type: 'object', properties: { reason: {}, by: {} } } },
    ];
    await run({ text: '{{role "system"}}\nBe kind.', tools, cases: [{ messages }] }, (request, options) => {
      asked.push(request);
      return echo(request, options);
    });
    expect(asked[0]?.messages).toEqual([{ role: 'system', content: 'Be kind.' }, ...messages]);
    expect(asked[0]?.tools).toEqual(tools);
    const [kept] = await listPlaygroundRuns(context(), TESTER, null);
    expect(kept).toMatchObject({ tools, cases: [{ messages }] });
    expect(JSON.stringify(kept?.tools)).toBe(JSON.stringify(tools));
  });

  test('stores responses in the order of the cases, not of completion', async () => {
    const slowFirst: ModelCaller = async (...asked) => {
      if (JSON.stringify(asked[0]).includes('slow')) await new Promise((resolve) => setTimeout(resolve, 50));
      return echo(...asked);
    };
    await run({ text: '{{input}}', cases: [{ input: 'slow' }, { input: 'b' }, { input: 'c' }] }, slowFirst);
    const [kept] = await listPlaygroundRuns(context(), TESTER, null);
    expect(kept?.answers.map((answer) => answer.case)).toEqual([0, 1, 2]);
  });

  test('is never cached, and is scored if the setup has criteria', async () => {
    const criteria = [{ name: 'exact', evaluator: 'reference', config: { match: 'exact' } }];
    const asked = { text: '{{input}}', cases: [{ input: 'yes', reference: 'yes' }], setup: { criteria } };
    for (const _ of [1, 2])
      expect(await run(asked)).toContainEqual(
        expect.objectContaining({ type: 'proof', known: false, proof: expect.objectContaining({ score: 1 }) }),
      );
  });

  test('reports and stores the error of each failed response', async () => {
    const failure = { kind: 'unauthorized' as const, message: 'The key was refused.', remedy: 'Check the key.' };
    const spent = { status: 401, attempts: 1, latencyMs: 1, tokenUsage: { input: 0, output: 0, total: 0 }, costUsd: 0 };
    const events = await run({ text: 'Hi', cases: [{}, {}] }, async () => ({
      ok: false,
      failure: { ...failure, ...spent },
    }));
    expect(events.filter(({ type }) => type === 'failed')).toHaveLength(2);
    expect((await listPlaygroundRuns(context(), TESTER, null))[0]?.answers).toMatchObject([
      { state: 'failed', remedy: 'Check the key.' },
      { state: 'failed' },
    ]);
  });

  test.each([
    ['text', { text: ' ', cases: [{ input: 'a' }] }],
    ['cases', { text: 'a', cases: [] }],
    ['setup.models.0.provider', { text: 'a', cases: [{}], setup: { models: [{ provider: 'nobody', model: 'x' }] } }],
    [
      'cases.1.reference',
      {
        ...{ text: 'a', cases: [{ reference: 'x' }, {}] },
        setup: { criteria: [{ name: 'exact', evaluator: 'reference', config: { match: 'exact' } }] },
      },
    ],
  ])('is refused at %s', async (field, input) => {
    expect(await planPlayground(context(), input)).toMatchObject({ ok: false, problem: { field } });
  });
});

test('runs are assigned to the saved prompt, limited to the newest and visible only to their author', async () => {
  const before = await run({ text: 'Say {{input}}', cases: [{ input: 'hello' }] });
  const last = before.at(-1);
  const id = last?.type === 'kept' ? last.run.id : '';
  unwrap(await createPrompt(context(), TESTER, { name: 'kept', text: 'Say {{input}}' }));
  await claimPlaygroundRuns(context(), { ...TESTER, id: 'other' }, 'kept', [id]);
  expect(await listPlaygroundRuns(context(), TESTER, 'kept')).toEqual([]);
  await claimPlaygroundRuns(context(), TESTER, 'kept', [id]);
  expect(await listPlaygroundRuns(context(), TESTER, 'kept')).toMatchObject([{ id }]);
  for (let at = 0; at < KEPT_RUNS; at += 1) await run({ prompt: 'kept', text: 'Hi', cases: [{}] });
  const runs = await listPlaygroundRuns(context(), TESTER, 'kept');
  expect(runs).toHaveLength(KEPT_RUNS);
  expect(runs.map((one) => one.id)).not.toContain(id);
  expect(await listPlaygroundRuns(context(), { id: 'other' }, 'kept')).toEqual([]);
  unwrap(await deletePrompt(context(), TESTER, 'kept'));
  expect(await db.database().prisma.playgroundRun.count({ where: { promptName: 'kept' } })).toBe(0);
});
