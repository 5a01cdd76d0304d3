import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Conversation } from '#lib/core/agents/agent-records.ts';
import type { ProviderConfiguration } from '#lib/providers/provider-configuration.ts';
import type { ProviderKind } from '#lib/providers/provider-kinds.ts';
import {
  type Answer,
  completion,
  raw,
  type ScriptedServer,
  status,
  toolCompletion,
} from '#lib/testing/scripted-server.test-support.ts';
import { serveScript } from '#lib/testing/serve-script.test-support.ts';
import { anthropicAnswer, failing, TURN_KINDS, turnAnswer } from '../turn-answers.test-support.ts';
import { createModelCaller } from './create-model-caller.ts';
import type { ModelFailureKind, ModelOutcome, ModelRequest } from './model-caller.ts';

const calculator = {
  name: 'calculator',
  description: 'Works out a sum.',
  parameters: { type: 'object', properties: { expression: { type: 'string' } }, required: ['expression'] },
};
const conversation: Conversation = {
  tools: [calculator],
  messages: [
    {
      role: 'assistant',
      text: 'First the sum.',
      calls: [{ id: '0.0', tool: 'calculator', arguments: '{"expression":"1+1"}' }],
    },
    { role: 'tool', results: [{ id: '0.0', tool: 'calculator', text: '2', isError: false }] },
    { role: 'user', text: 'Go on.' },
  ],
};
const request: ModelRequest = {
  role: 'turn',
  ordinal: 0,
  model: { provider: 'p', model: 'm' },
  instructions: 'Be brief.',
  prompt: 'What is 1+1 and 2+2?',
  temperature: 0,
  maxOutputTokens: null,
  output: null,
  conversation,
};

type Asked = { outcome: ModelOutcome; requests: ScriptedServer['requests'] };

async function ask(
  kind: ProviderKind,
  answers: Answer[],
  options: { toolsBy?: 'native' | 'prompt'; streamed?: boolean; times?: number; request?: Partial<ModelRequest> } = {},
): Promise<Asked> {
  const server = await serveScript(answers);
  const configuration: ProviderConfiguration = {
    ...{ name: 'p', kind, baseUrl: server.baseUrl, apiKey: 'key-12345678' },
    prices: { m: { inputPerMillionUsd: 1_000_000, outputPerMillionUsd: 1_000_000 } },
    toolsBy: options.toolsBy ?? null,
  };
  const call = createModelCaller({
    addresses: { allowLoopback: true, allowedPrivateHosts: [] },
    resolveProvider: async () => configuration,
    maxAttempts: 2,
    sleep: async () => {},
  });
  const once = () =>
    call(
      { ...request, ...options.request },
      { signal: new AbortController().signal, onText: options.streamed ? () => {} : null },
    );
  for (let times = 1; times < (options.times ?? 1); times++) await once();
  return { outcome: await once(), requests: server.requests };
}

describe.each(TURN_KINDS)('an agent turn via %s', (kind) => {
  const uses = turnAnswer(kind, 'Now the other.', [['calculator', { expression: '2+2' }]]);

  test('sends the conversation and the tools, and reads the tool calls', async () => {
    const { outcome, requests } = await ask(kind, [uses]);
    expect(outcome).toMatchObject({
      ok: true,
      reply: {
        ...{ text: 'Now the other.', finishReason: 'tool-calls', attempts: 1, costUsd: 17 },
        tokenUsage: { input: 12, output: 5, total: 17 },
        tokenDetails: { cached: 2 },
        toolCalls: [{ tool: 'calculator', arguments: '{"expression":"2+2"}' }],
      },
    });
    const sent = JSON.stringify(requests[0]?.body);
    for (const text of ['Be brief.', 'What is 1+1', 'First the sum.', 'Go on.', 'Works out a sum.', '"expression"'])
      expect(sent).toContain(text);
  });

  test.each<[string, Answer, ModelFailureKind, { requests: number; message: RegExp }]>([
    [
      'always rejects tools',
      failing(kind, 400, 'this model does not support tools'),
      'bad_request',
      { requests: 2, message: /does not support tools/ },
    ],
    ['fails', failing(kind, 500, 'broken'), 'unavailable', { requests: 2, message: /\(HTTP 500\): broken/ }],
    ['is rate limited', failing(kind, 429, 'slow down'), 'rate_limited', { requests: 2, message: /slow down/ }],
    [
      'sends a truncated response',
      raw('{"choices": [{"mess'),
      'malformed',
      { requests: 1, message: /could not be read/ },
    ],
    ['rejects the key', failing(kind, 401, 'no'), 'unauthorized', { requests: 1, message: /did not accept/ }],
  ])('charges nothing for a server that %s', async (_name, answer, failure, { requests: times, message }) => {
    const { outcome, requests } = await ask(kind, [answer]);
    expect(outcome).toMatchObject({ ok: false, failure: { kind: failure, attempts: times, costUsd: 0 } });
    if (!outcome.ok) expect(outcome.failure.message).toMatch(message);
    expect(requests).toHaveLength(times);
  });
});

test.each([
  { ids: 'the same', streamed: false, idOf: () => 'call_0' },
  { ids: 'the same', streamed: true, idOf: () => 'call_0' },
  { ids: 'empty', streamed: false, idOf: () => '' },
  {
    ids: 'names of every object as',
    streamed: false,
    idOf: (index: number) => ['__proto__', 'constructor'][index] ?? '',
  },
])('keeps each tool call of a turn with $ids ids (streamed: $streamed)', async ({ streamed, idOf }) => {
  const given: [string, string][] = [
    ['calculator', '{"expression":"1+1"}'],
    ['javascript', '{"code":"40+2"}'],
  ];
  const { outcome } = await ask('openai-compatible', [toolCompletion('', given, idOf)], { streamed });
  const toolCalls = given.map(([tool, text]) => expect.objectContaining({ tool, arguments: text }));
  expect(outcome).toMatchObject({ ok: true, reply: { toolCalls } });
});

const broken = (given: string) => toolCompletion('', [['calculator', given]]);

describe('the outcome of a turn', () => {
  test.each<[string, ProviderKind, Answer, object]>([
    [
      'keeps arguments that are not JSON unchanged',
      'openai-compatible',
      broken('{"expression": "2+'),
      { toolCalls: [{ arguments: '{"expression": "2+' }] },
    ],
    [
      'keeps arguments that are not an object unchanged',
      'openai-compatible',
      broken('[1]'),
      { toolCalls: [{ arguments: '[1]' }] },
    ],
    ['accepts missing arguments', 'openai-compatible', broken(''), { toolCalls: [{ arguments: '{}' }] }],
    [
      'returns a call of an unknown tool',
      'openai-compatible',
      toolCompletion('', [['teleport', '{}']]),
      { toolCalls: [{ tool: 'teleport', arguments: '{}' }] },
    ],
    [
      'returns many calls in one turn',
      'openai-compatible',
      toolCompletion(
        '',
        Array.from({ length: 40 }, () => ['calculator', '{}'] as const),
      ),
      { warnings: [expect.stringMatching(/40 tool calls/)], callsLeftOut: 24 },
    ],
    [
      'reports a turn truncated during a call',
      'anthropic',
      anthropicAnswer([{ type: 'tool_use', id: 't', name: 'calculator', input: {} }], 'max_tokens'),
      { finishReason: 'length', toolCalls: [{ arguments: '{}' }] },
    ],
    ['returns an answer', 'openai-compatible', completion('2 and 4.'), { text: '2 and 4.', finishReason: 'stop' }],
    [
      'accepts a turn without text or tool calls',
      'openai-compatible',
      completion(''),
      { text: '', finishReason: 'stop' },
    ],
    [
      'replaces characters that cannot be stored',
      'openai-compatible',
      toolCompletion('a\u0000', [['calc\ud800', '{"expression":"\\u0000"']]),
      { text: 'a\ufffd', toolCalls: [{ tool: 'calc\ufffd' }] },
    ],
  ])('%s', async (_name, kind, answer, expected) => {
    for (const streamed of kind === 'openai-compatible' ? [false, true] : [false]) {
      const { outcome } = await ask(kind, [answer], { streamed });
      expect(outcome).toMatchObject({ ok: true, reply: { ...expected, tokenUsage: { input: 12, output: 5 } } });
    }
  });

  test('reasoning that uses up all tokens is a billed failure', async () => {
    const { outcome } = await ask('openai-compatible', [completion('', 'length')]);
    expect(outcome).toMatchObject({ ok: false, failure: { kind: 'empty', costUsd: 17 } });
  });

  test('tool call ids are valid for all providers and match their results', async () => {
    const { requests } = await ask('anthropic', [turnAnswer('anthropic', 'Yes.')]);
    const sent = JSON.stringify(requests[0]?.body);
    expect(sent.match(/"(?:id|tool_use_id)":"c00000000"/g)).toHaveLength(2);
  });
});

describe('a model without tool support', () => {
  const REACT = 'Thought: Now the other.\nAction: calculator\nAction Input: {"expression":"2+2"}';
  const inText = { text: 'Now the other.', toolCalls: [{ tool: 'calculator', arguments: '{"expression":"2+2"}' }] };

  test.each([
    [
      'gets them in the prompt if its provider is configured that way',
      [completion(REACT)],
      { toolsBy: 'prompt' },
      1,
      1,
    ],
    [
      'gets them in the prompt after it rejects them',
      [status(400, 'registry.ollama.ai/m does not support tools'), completion(REACT)],
      {},
      2,
      2,
    ],
    [
      'is not tried with native tools again',
      [status(400, 'm does not support tools'), completion(REACT)],
      { times: 2 },
      1,
      3,
    ],
  ] as const)('%s', async (_name, answers, options, attempts, times) => {
    const { outcome, requests } = await ask('openai-compatible', [...answers], options);
    expect(outcome).toMatchObject({
      ok: true,
      reply: {
        ...inText,
        attempts,
        finishReason: 'tool-calls',
        warnings: [expect.stringMatching(/described in the prompt/)],
      },
    });
    expect(requests).toHaveLength(times);
    const body = requests.at(-1)?.body;
    expect(body).not.toHaveProperty('tools');
    expect(body?.messages).toEqual([
      {
        role: 'system',
        content: expect.stringMatching(/^Be brief\.\n\nYou can use these tools:\n- calculator: Works out a sum\./),
      },
      { role: 'user', content: 'What is 1+1 and 2+2?' },
      { role: 'assistant', content: 'Thought: First the sum.\nAction: calculator\nAction Input: {"expression":"1+1"}' },
      { role: 'user', content: 'Observation: 2\n\nGo on.' },
    ]);
  });

  test.each([
    ['an error about a missing server flag', 500, 'tools param requires --jinja flag', 3],
    ['an invalid schema, which does not affect other tools', 400, "Invalid schema for function 'x': tools[0]", 4],
    ['a malformed tool call', 400, 'Failed to call a function. Please adjust your prompt.', 4],
  ])('gets the tools in the prompt after %s', async (_name, code, message, times) => {
    const refused = status(code, message);
    const answers = [refused, completion(REACT), times === 4 ? refused : completion(REACT), completion(REACT)];
    const { outcome, requests } = await ask('openai-compatible', answers, { times: 2 });
    expect(outcome).toMatchObject({ ok: true, reply: times === 4 ? { ...inText, attempts: 2 } : { attempts: 1 } });
    expect(requests).toHaveLength(times);
  });

  test('gets no retry with tools in the prompt if its provider declares native tools', async () => {
    const { outcome, requests } = await ask('openai-compatible', [status(400, 'bad tools')], { toolsBy: 'native' });
    expect(outcome).toMatchObject({ ok: false, failure: { kind: 'bad_request', attempts: 1 } });
    expect(requests).toHaveLength(1);
  });

  test('reads a turn with very many calls in a short time', async () => {
    const calls = Array.from({ length: 60_000 }, () => ['calculator', '{}'] as const);
    const startedAt = process.threadCpuUsage();
    const { outcome } = await ask('openai-compatible', [toolCompletion('', calls)]);
    expect(process.threadCpuUsage(startedAt).user / 1_000).toBeLessThan(4_000);
    expect(outcome.ok && outcome.reply.toolCalls).toHaveLength(16);
  });

  test('reports how many of many tool calls were omitted', async () => {
    const uses = Array.from(
      { length: 40 },
      (_, index) => `Action: calculator\nAction Input: {"expression":"${index}"}`,
    );
    const { outcome } = await ask('openai-compatible', [completion(['Thought: All.', ...uses].join('\n'))], {
      toolsBy: 'prompt',
    });
    expect(outcome).toMatchObject({
      reply: { callsLeftOut: 24, warnings: expect.arrayContaining([expect.stringMatching(/40 tool calls.*first 16/)]) },
    });
    expect(outcome.ok && outcome.reply.toolCalls).toHaveLength(16);
  });

  test.each<[string, string, object]>([
    ['answers with a thought, which is kept', 'Thought: I know.\nFinal Answer: 4', { text: '4', thought: 'I know.' }],
    ['answers without the format', 'It is 4.', { text: 'It is 4.' }],
    ['returns only a thought', 'Thought: Hm.', { text: '', thought: 'Hm.' }],
  ])('%s', async (_name, text, expected) => {
    const { outcome } = await ask('openai-compatible', [completion(text)], { toolsBy: 'prompt', streamed: true });
    expect(outcome).toMatchObject({ ok: true, reply: { ...expected, finishReason: 'stop' } });
    if (outcome.ok) expect(outcome.reply).not.toHaveProperty('toolCalls');
  });
});

/** Sends the tool calls of the first response back in the conversation of a second request. */
async function continued(kind: ProviderKind, answers: Answer[], streamed = false) {
  const server = await serveScript(answers);
  const configuration: ProviderConfiguration = {
    ...{ name: 'p', kind, baseUrl: server.baseUrl, apiKey: 'key-12345678', prices: {}, toolsBy: null },
  };
  const call = createModelCaller({
    addresses: { allowLoopback: true, allowedPrivateHosts: [] },
    resolveProvider: async () => configuration,
    sleep: async () => {},
  });
  const options = { signal: new AbortController().signal, onText: streamed ? () => {} : null };
  const first = await call({ ...request, conversation: { tools: [calculator], messages: [] } }, options);
  if (!first.ok) throw new Error(first.failure.message);
  const calls = (first.reply.toolCalls ?? []).map((one, index) => ({ ...one, id: `0.${index}` }));
  const results = calls.map(({ id, tool }) => ({ id, tool, text: '2', isError: false }));
  const messages: Conversation['messages'] = [
    { role: 'assistant', text: first.reply.text, calls },
    { role: 'tool', results },
  ];
  const second = await call({ ...request, conversation: { tools: [calculator], messages } }, options);
  return { first: first.reply, second, requests: server.requests };
}

describe('the reasoning before a tool call', () => {
  test('is sent back to Anthropic with its signature', async () => {
    const thinking = { type: 'thinking', thinking: 'Add them.', signature: 'sig-1' };
    const use = { type: 'tool_use', id: 't0', name: 'calculator', input: { expression: '1+1' } };
    const { requests } = await continued('anthropic', [
      anthropicAnswer([thinking, use], 'tool_use'),
      anthropicAnswer([{ type: 'text', text: '2' }], 'end_turn'),
    ]);
    const sent = z.object({ messages: z.array(z.object({ role: z.string(), content: z.unknown() })) });
    const { messages } = sent.parse(requests[1]?.body);
    expect(messages.find(({ role }) => role === 'assistant')?.content).toMatchObject([thinking, { type: 'tool_use' }]);
  });

  test.each([
    ['whole', false],
    ['streamed', true],
  ])('is sent to an OpenAI-compatible server only if it asks for it, in a %s response', async (_name, streamed) => {
    const needsReasoning: Answer = (response, body, incoming) => {
      const sent = JSON.stringify(body);
      if (!sent.includes('"role":"tool"'))
        return toolCompletion(
          '',
          [['calculator', '{"expression":"1+1"}']],
          undefined,
          'Add them.',
        )(response, body, incoming);
      if (sent.includes('"reasoning_content":"Add them."')) return completion('2')(response, body, incoming);
      return status(400, 'Missing `reasoning_content` field in the assistant message at message index 2.')(
        response,
        body,
        incoming,
      );
    };
    const { second, requests } = await continued('openai-compatible', [needsReasoning], streamed);
    expect(second).toMatchObject({ ok: true, reply: { text: '2' } });
    expect(requests.map(({ body }) => JSON.stringify(body).includes('reasoning_content'))).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('is not repeated by a second request if there is none', async () => {
    const refuses: Answer = (response, body, incoming) => {
      const isSecond = JSON.stringify(body).includes('"role":"tool"');
      const answer = isSecond
        ? status(400, 'Missing `reasoning_content` field.')
        : toolCompletion('', [['calculator', '{}']]);
      return answer(response, body, incoming);
    };
    const { second, requests } = await continued('openai-compatible', [refuses]);
    expect(second).toMatchObject({ ok: false, failure: { kind: 'bad_request', attempts: 1 } });
    expect(requests).toHaveLength(2);
  });

  test('is not sent to OpenAI', async () => {
    const { first } = await continued('openai', [
      toolCompletion('', [['calculator', '{}']], undefined, 'Add them.'),
      completion('2'),
    ]);
    expect(first.toolCalls?.[0]).not.toHaveProperty('replay');
  });
});
