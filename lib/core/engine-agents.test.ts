import { describe, expect, test } from 'vitest';
import type { ToolCall } from './agents/agent-records.ts';
import { createEngine, type EngineOptions } from './engine.ts';
import type { ToolDecision } from './engine-services.ts';
import type { ModelRequest } from './model-request.ts';
import { logTools } from './published-log.test-support.ts';

const RESPONSE = {
  ...{ finishReason: 'stop', tokenUsage: { input: 9, output: 1, total: 10 }, costUsd: 0, latencyMs: 1 },
  ...{ attempts: 1, warnings: [] },
};
const BASE = { type: 'react' as const, tools: ['search'], approve: [] as string[] };

function engineOf(base: object, more: Partial<EngineOptions> = {}) {
  const asked: ModelRequest[] = [];
  const engine = createEngine({
    settings: {
      generator: { provider: 'own', model: 'm', base: { ...BASE, ...base } },
      criteria: [{ name: 'quality', validate: () => 1 }],
    },
    tools: { definitions: logTools(['search']), use: ({ arguments: given }) => `found ${given}` },
    ask: async (request) => {
      asked.push(request);
      const isFirst = request.conversation?.messages.length === 0;
      const toolCalls = [{ id: '', tool: 'search', arguments: '{"text":"x"}' }];
      return isFirst ? { ok: true, reply: { ...RESPONSE, text: 'look', toolCalls } } : 'Found.';
    },
    ...more,
  });
  return { engine, asked };
}

test('an engine agent uses its tools and receives the error of one that throws', async () => {
  const { engine } = engineOf(
    {},
    {
      tools: {
        definitions: logTools(['search']),
        use: () => {
          throw new Error('no network');
        },
      },
    },
  );
  const { history, finalOutput } = await engine.execute('Do it.');
  expect(history.observations).toMatchObject([{ status: 'failed', text: 'search failed: no network' }]);
  expect(finalOutput).toBe('Found.');
});

describe('a callback decides about a tool that requires approval', () => {
  test.each<[string, ToolDecision, object[], string]>([
    ['and allows it', 'allow', [{ status: 'ok', text: 'found {"text":"x"}' }], 'quality_met'],
    [
      'and changes it',
      { decision: 'allow', arguments: '{"text":"y"}' },
      [{ status: 'ok', text: 'found {"text":"y"}' }],
      'quality_met',
    ],
    [
      'and refuses it',
      { decision: 'refuse', reason: 'Not now.' },
      [{ status: 'refused', text: expect.stringContaining('Not now.') }],
      'quality_met',
    ],
    ['and stops', 'stop', [], 'user_stopped'],
  ])('%s', async (_name, answer, observations, reason) => {
    const seen: ToolCall[] = [];
    const onToolCall = (call: ToolCall) => {
      seen.push(call);
      return answer;
    };
    const { engine } = engineOf({ approve: ['search'] }, { onToolCall });
    const result = await engine.execute('Do it.');
    expect(seen).toEqual([{ id: '0.0', tool: 'search', arguments: '{"text":"x"}' }]);
    expect(result.history.observations).toMatchObject(observations);
    expect(result.convergenceReason).toBe(reason);
  });
});

test('external lessons are recalled once per version and included in all its turns', async () => {
  let recalls = 0;
  const recall = () => [{ id: `${recalls++}`, kind: 'lesson' as const, text: `Lesson ${recalls}`, score: null }];
  const { engine, asked } = engineOf({}, { recall });
  const { history } = await engine.execute('Do it.');
  expect(recalls).toBe(1);
  expect(asked.map(({ prompt }) => prompt.includes('Lesson 1'))).toEqual([true, true]);
  expect(history.versions[0]?.recalledLessons).toEqual([{ lessonId: '0', rank: 1, score: null }]);
});

test.each<[string, object, Partial<EngineOptions>, string]>([
  ['an unknown tool', { tools: ['lookup'] }, {}, 'generator.base: the engine\'s "tools" do not contain lookup'],
  ['tools for a single call', {}, { tools: undefined }, 'do not contain search'],
  [
    'approval without a callback',
    { approve: ['search'] },
    {},
    'generator.base.approve: an engine cannot wait for a person',
  ],
])('an engine rejects %s', (_name, base, more, message) => {
  expect(() => engineOf(base, more)).toThrow(message);
});

test("a lesson changes the next attempt's delegation; the cost of three workers is counted once", async () => {
  const LESSON = 'Have the checker look at the result first.';
  const workers = ['reader', 'solver', 'checker'].map((name) => ({ name, instructions: `You are the ${name}.` }));
  const given: string[][] = [];
  let calls = 0;
  const ask = async ({ role, prompt, instructions, conversation }: ModelRequest) => {
    calls++;
    const response = (text: string, names: string[] = []) => {
      const toolCalls = names.map((name) => ({
        ...{ id: '', tool: 'delegate', arguments: JSON.stringify({ worker: name, task: `Your part, ${name}.` }) },
      }));
      return { ok: true as const, reply: { ...RESPONSE, text, ...(names.length > 0 && { toolCalls }) } };
    };
    if (role === 'lesson') return response(LESSON);
    if (workers.some(({ name }) => instructions.includes(`You are the ${name}.`))) return response('My part.');
    const hasLesson = prompt.includes(LESSON);
    if (conversation?.messages.length !== 0) return response(hasLesson ? 'Right.' : 'Wrong.');
    const names = hasLesson ? ['checker'] : ['reader', 'solver', 'checker'];
    given.push(names);
    return response('share', names);
  };
  const { engine } = engineOf(
    {},
    {
      settings: {
        mode: 'retry',
        generator: { provider: 'own', model: 'm', base: { type: 'supervisor', workers } },
        criteria: [{ name: 'quality', validate: (output) => (output === 'Right.' ? 1 : 0) }],
      },
      ask,
    },
  );
  const { history, tokenUsage, convergenceReason } = await engine.execute('Do it.');
  expect(convergenceReason).toBe('quality_met');
  expect(given).toEqual([['reader', 'solver', 'checker'], ['checker']]);
  expect(history.turns.flatMap(({ delegation, agent }) => (delegation === null ? [] : agent))).toEqual([
    ...['reader', 'solver', 'checker'],
    'checker',
  ]);
  // 5 calls in the first attempt, 3 in the second, and one for the lesson between them.
  expect(calls).toBe(9);
  expect(tokenUsage.total).toBe(90);
  expect(history.versions.map((version) => version.tokenUsage.total)).toEqual([50, 30]);
  expect(history.versions.reduce((sum, { totalSpend }) => sum + totalSpend.tokenUsage.total, 0)).toBe(90);
});
