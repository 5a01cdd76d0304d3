import { describe, expect, test } from 'vitest';
import type { ChatMessage } from '#lib/core/chat/chat-message.ts';
import { answerForm, promptOptionsSchema } from '#lib/core/prompt-options.ts';
import { readToolAnswer } from '#lib/formats/tool-answer.ts';
import type { ProviderConfiguration } from '#lib/providers/provider-configuration.ts';
import { type Answer, completion, status } from '#lib/testing/scripted-server.test-support.ts';
import { serveScript } from '#lib/testing/serve-script.test-support.ts';
import { anthropicAnswer, turnAnswer } from '../turn-answers.test-support.ts';
import { createModelCaller } from './create-model-caller.ts';
import type { ModelRequest } from './model-caller.ts';
import { REPAIRED } from './repair-response.ts';
import { TOOLS_IN_TEXT } from './text-tools.ts';

const KINDS = ['openai-compatible', 'openai', 'anthropic'] as const;

const REFUND = {
  name: 'refund',
  description: 'Pays an order back.',
  parameters: { type: 'object', properties: { order: { type: 'integer' } }, required: ['order'] },
};
const LABEL = {
  name: 'label',
  schema: { type: 'object', properties: { label: { enum: ['bug', 'other'] }, note: { type: 'string' } } },
};
const STRICT = {
  name: 'label',
  schema: {
    type: 'object',
    properties: { label: { type: 'string' } },
    required: ['label'],
    additionalProperties: false,
  },
};

async function ask(
  kind: (typeof KINDS)[number],
  answer: Answer,
  options: object,
  streamed = false,
  messages?: ChatMessage[],
) {
  const server = await serveScript([answer]);
  const configuration: ProviderConfiguration = {
    ...{ name: 'p', kind, baseUrl: server.baseUrl, apiKey: 'key-12345678', prices: {} },
  };
  const call = createModelCaller({
    addresses: { allowLoopback: true, allowedPrivateHosts: [] },
    resolveProvider: async () => configuration,
    maxAttempts: 2,
    sleep: async () => {},
  });
  const request: ModelRequest = {
    role: 'try',
    ordinal: 0,
    model: { provider: 'p', model: 'm' },
    instructions: 'Be brief.',
    prompt: 'Order 7 came broken.',
    temperature: null,
    maxOutputTokens: null,
    ...(messages && { messages }),
    ...answerForm(promptOptionsSchema.parse(options)),
  };
  const pieces: string[] = [];
  const outcome = await call(request, {
    signal: new AbortController().signal,
    onText: streamed ? (piece) => void pieces.push(piece) : null,
  });
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return { reply: outcome.reply, bodies: server.requests.map(({ body }) => JSON.stringify(body)), pieces };
}

/** Calls the first tool of the request with the number in its message, or returns a text without tools. */
function byTools(kind: (typeof KINDS)[number]): Answer {
  return (response, body, request) => {
    const sent = JSON.stringify(body);
    const order = Number(/Order (\d+)/.exec(sent)?.[1]);
    const name = /"name":"(refund)"/.exec(sent)?.[1];
    const described = sent.includes('Pays an order back.') && sent.includes('"required":["order"]');
    const answer =
      name !== undefined && described ? turnAnswer(kind, 'On it.', [[name, { order }]]) : turnAnswer(kind, 'No tools.');
    answer(response, body, request);
  };
}

describe.each(KINDS)('a prompt via %s', (kind) => {
  test('offers its tools and returns the tool calls as text', async () => {
    const { reply, bodies } = await ask(kind, byTools(kind), { tools: [REFUND] });
    expect(bodies).toHaveLength(1);
    expect(JSON.parse(reply.text)).toEqual({
      text: 'On it.',
      toolCalls: [{ name: 'refund', arguments: { order: 7 } }],
    });
    expect(reply.toolCalls).toBeUndefined();
    expect(reply.finishReason).toBe('tool-calls');
  });

  test('without tools sends none and returns the text unchanged', async () => {
    const { reply, bodies } = await ask(kind, byTools(kind), {});
    expect(reply.text).toBe('No tools.');
    for (const word of ['"tools"', '"response_format"', '"output_config"', '"output_format"'])
      expect(bodies[0]).not.toContain(word);
  });

  test('sends its schema', async () => {
    const byPosition: Answer = (response, body, request) => {
      // An OpenAI-compatible server gets it in the prompt, as text escaped in JSON.
      const isSent = JSON.stringify(body).replaceAll('\\"', '"').includes('"enum":["bug","other"]');
      const label = isSent ? 'bug' : 'none';
      turnAnswer(kind, JSON.stringify({ label }))(response, body, request);
    };
    const { reply, bodies } = await ask(kind, byPosition, { responseSchema: LABEL });
    expect(bodies).toHaveLength(1);
    expect(JSON.parse(reply.text)).toEqual({ label: 'bug' });
  });
});

const strictly = (properties: Record<string, object>, more: object = {}) => ({
  name: 'label',
  schema: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false, ...more },
});
const TEXT = { type: 'string' };
const NESTED = strictly({ label: TEXT }).schema;

test.each([
  ['requires all properties', STRICT, true],
  ['requires all properties of nested objects', strictly({ all: { type: 'array', items: NESTED } }), true],
  ['has nullable properties', strictly({ label: { anyOf: [NESTED, { type: 'null' }] } }), true],
  ['has properties named like keywords', strictly({ default: TEXT, oneOf: TEXT, items: TEXT }), true],
  ['has definitions', strictly({ label: { $ref: '#/$defs/a' } }, { $defs: { a: NESTED } }), true],
  ['has optional properties', LABEL, false],
  ['has an object without properties', strictly({ label: { type: 'object' } }), false],
  ['has a nullable object without properties', strictly({ label: { type: ['object', 'null'] } }), false],
  ['allows additional properties', strictly({ label: { ...NESTED, additionalProperties: true } }), false],
  ['has an optional property in a definition', strictly({}, { $defs: { a: { ...NESTED, required: [] } } }), false],
  ['has oneOf', strictly({ label: { oneOf: [TEXT] } }), false],
  ['has allOf', strictly({ label: { allOf: [TEXT] } }), false],
  ['has not', strictly({ label: { type: 'string', not: { const: 'a' } } }), false],
  ['has a default', strictly({ label: { type: 'string', default: 'a' } }), false],
  ['has patternProperties', strictly({}, { patternProperties: { a: TEXT } }), false],
  ['has an unknown format', strictly({ label: { type: 'string', format: 'uri' } }), false],
  ['has a property of any type', strictly({ label: {} }), false],
])('sends OpenAI the matching strict mode for a schema that %s', async (_name, responseSchema, strict) => {
  const { bodies } = await ask('openai', completion('{"label":"bug"}'), { responseSchema });
  expect(JSON.parse(bodies[0] ?? '')).toMatchObject({ response_format: { json_schema: { name: 'label', strict } } });
});

test('streamed tool calls are returned as text, and only prose is streamed', async () => {
  const { reply, pieces } = await ask('openai-compatible', byTools('openai-compatible'), { tools: [REFUND] }, true);
  expect(readToolAnswer(reply.text)?.toolCalls).toEqual([{ name: 'refund', arguments: { order: 7 } }]);
  expect(pieces.join('')).toBe('On it.');
});

test('sends the tool calls of a case natively if the prompt offers these tools', async () => {
  const messages = [
    { role: 'user' as const, content: 'Order 7 is late.' },
    { role: 'assistant' as const, content: '', toolCalls: [{ id: 'x', tool: 'refund', arguments: '{"order": 7}' }] },
    { role: 'tool' as const, content: 'Refused.', tool: 'refund', toolCallId: 'x' },
    { role: 'user' as const, content: 'Try again.' },
  ];
  const { bodies } = await ask('openai-compatible', completion('Sorry.'), { tools: [REFUND] }, false, messages);
  expect(JSON.parse(bodies[0] ?? '').messages.slice(-4)).toMatchObject([
    { role: 'user', content: 'Order 7 is late.' },
    { role: 'assistant', tool_calls: [{ function: { name: 'refund', arguments: '{"order":7}' } }] },
    { role: 'tool', content: 'Refused.' },
    { role: 'user', content: 'Try again.' },
  ]);
});

test('describes tools in the prompt for a server without tool support', async () => {
  const noTools: Answer = (response, body, request) => {
    if (body.tools !== undefined) return status(400, 'this model does not support tools')(response, body, request);
    const isInPrompt = JSON.stringify(body).includes('- refund: Pays an order back.');
    const text = isInPrompt ? 'Thought: broken.\nAction: refund\nAction Input: {"order": 7}' : 'No tools.';
    completion(text)(response, body, request);
  };
  const { reply } = await ask('openai-compatible', noTools, { tools: [REFUND] });
  expect(readToolAnswer(reply.text)).toEqual({
    text: 'broken.',
    toolCalls: [{ name: 'refund', arguments: { order: 7 } }],
  });
  expect(reply.warnings).toContain(TOOLS_IN_TEXT);
});

test('puts the schema into the prompt for a server without structured output, and strips code fences', async () => {
  const noSchema: Answer = (response, body, request) => {
    if (body.response_format !== undefined)
      return status(400, "'response_format' is not supported")(response, body, request);
    const isInPrompt = JSON.stringify(body.messages).includes(String.raw`\"enum\":[\"bug\",\"other\"]`);
    completion(isInPrompt ? 'Here:\n```json\n{"label": "bug"}\n```' : 'A bug.')(response, body, request);
  };
  const { reply, bodies } = await ask('openai', noSchema, { responseSchema: LABEL });
  expect(bodies).toHaveLength(2);
  expect(JSON.parse(reply.text)).toEqual({ label: 'bug' });
});

test('repairs broken JSON and adds a warning', async () => {
  const { reply } = await ask('openai-compatible', completion("{label: 'bug'"), { responseSchema: LABEL });
  expect(JSON.parse(reply.text)).toEqual({ label: 'bug' });
  expect(reply.warnings).toContain(REPAIRED);
});

test('reads text and a tool call from one Anthropic message', async () => {
  const content = [
    { type: 'text', text: 'Wait.' },
    { type: 'tool_use', id: 't', name: 'refund', input: { order: 7 } },
  ];
  const { reply } = await ask('anthropic', anthropicAnswer(content, 'tool_use'), { tools: [REFUND] });
  expect(readToolAnswer(reply.text)).toMatchObject({ text: 'Wait.' });
});
