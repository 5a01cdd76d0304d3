import { describe, expect, test } from 'vitest';
import type { ChatFile } from '#lib/core/chat/chat-message.ts';
import type { ModelRequest } from '#lib/core/model-request.ts';
import { type Answer, completion, raw, status } from '#lib/testing/scripted-server.test-support.ts';
import { serveScript } from '#lib/testing/serve-script.test-support.ts';
import type { ProviderConfiguration } from '../provider-configuration.ts';
import { createModelCaller } from './create-model-caller.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const IMAGE: ChatFile = { type: 'file', file: 'a'.repeat(64), mediaType: 'image/png', name: 'pixel.png' };

const request: ModelRequest = {
  ...{
    role: 'generate',
    ordinal: 0,
    model: { provider: 'p', model: 'm' },
    instructions: 'Be kind.',
    prompt: 'text form',
  },
  ...{ temperature: null, maxOutputTokens: 50, output: null },
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Yes?' },
    { role: 'user', content: [{ type: 'text', text: 'What is this?' }, IMAGE] },
  ],
  closing: 'Heed this.',
};

async function ask(
  configuration: Pick<ProviderConfiguration, 'kind' | 'options'>,
  answers: Answer[],
  { isStored = true, changes = {} }: { isStored?: boolean; changes?: Partial<ModelRequest> } = {},
) {
  const server = await serveScript(answers);
  const isOwn = configuration.kind === 'openai-compatible';
  const baseUrl = isOwn ? server.baseUrl : server.baseUrl.replace(/\/v1$/, '');
  const call = createModelCaller({
    addresses: { allowLoopback: true, allowedPrivateHosts: [] },
    resolveProvider: async () => ({ name: 'p', prices: {}, baseUrl, apiKey: 'key', ...configuration }),
    loadFiles: async () => new Map(isStored ? [[IMAGE.file, Buffer.from(PIXEL, 'base64')]] : []),
    maxAttempts: 1,
  });
  const outcome = await call({ ...request, ...changes }, { signal: new AbortController().signal, onText: null });
  return { outcome, body: server.requests[0]?.body, count: server.requests.length };
}

const answers = {
  chat: completion('Hello'),
  responses: raw(
    JSON.stringify({
      ...{ id: 'r', object: 'response', created_at: 1, model: 'm', status: 'completed' },
      output: [
        {
          ...{ type: 'message', id: 'm', role: 'assistant', status: 'completed' },
          content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
        },
      ],
      usage: { input_tokens: 12, output_tokens: 5, total_tokens: 17 },
    }),
  ),
  anthropic: raw(
    JSON.stringify({
      ...{ id: 'm', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn', stop_sequence: null },
      content: [{ type: 'text', text: 'Hello' }],
      usage: { input_tokens: 12, output_tokens: 5 },
    }),
  ),
  google: raw(
    JSON.stringify({
      candidates: [{ content: { parts: [{ text: 'Hello' }], role: 'model' }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 5, totalTokenCount: 17 },
    }),
  ),
};

const CHAT_MESSAGES = [
  { role: 'system', content: 'Be kind.\n\nBe brief.' },
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: 'Yes?' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
      { type: 'text', text: 'Heed this.' },
    ],
  },
];

describe('sending a conversation with an image', () => {
  test.each<[string, Pick<ProviderConfiguration, 'kind' | 'options'>, Answer, object]>([
    ['to an OpenAI-compatible server', { kind: 'openai-compatible' }, answers.chat, { messages: CHAT_MESSAGES }],
    [
      'to OpenAI with Chat Completions',
      { kind: 'openai', options: { api: 'chat' } },
      answers.chat,
      { messages: CHAT_MESSAGES },
    ],
    [
      'to OpenAI with Responses',
      { kind: 'openai', options: { api: 'responses' } },
      answers.responses,
      {
        input: [
          { role: 'system', content: 'Be kind.\n\nBe brief.' },
          { role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
          { role: 'assistant', content: 'Yes?' },
          {
            role: 'user',
            content: [
              { type: 'input_text', text: 'What is this?' },
              { type: 'input_image', image_url: `data:image/png;base64,${PIXEL}` },
              { type: 'input_text', text: 'Heed this.' },
            ],
          },
        ],
      },
    ],
    [
      'to Anthropic',
      { kind: 'anthropic' },
      answers.anthropic,
      {
        system: [{ type: 'text', text: 'Be kind.\n\nBe brief.' }],
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
          { role: 'assistant', content: [{ type: 'text', text: 'Yes?' }] },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'What is this?' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
              { type: 'text', text: 'Heed this.' },
            ],
          },
        ],
      },
    ],
    [
      'to Google',
      { kind: 'google' },
      answers.google,
      {
        systemInstruction: { parts: [{ text: 'Be kind.\n\nBe brief.' }] },
        contents: [
          { role: 'user', parts: [{ text: 'Hi' }] },
          { role: 'model', parts: [{ text: 'Yes?' }] },
          {
            role: 'user',
            parts: [
              { text: 'What is this?' },
              { inlineData: { mimeType: 'image/png', data: PIXEL } },
              { text: 'Heed this.' },
            ],
          },
        ],
      },
    ],
  ])('%s', async (_name, configuration, answer, expected) => {
    const { outcome, body } = await ask(configuration, [answer]);
    expect(outcome).toMatchObject({ ok: true, reply: { text: 'Hello' } });
    expect(body).toMatchObject(expected);
  });

  test('after a prompt, for judges', async () => {
    const { body } = await ask({ kind: 'openai-compatible' }, [answers.chat], {
      changes: { messages: undefined, closing: undefined, files: [IMAGE], prompt: 'Judge it.' },
    });
    expect(body?.messages).toMatchObject([
      { role: 'system' },
      { role: 'user', content: [{ type: 'text', text: 'Judge it.' }, { type: 'image_url' }] },
    ]);
  });
});

test('sends Google the tool name of the call for a result without one', async () => {
  const call = { id: 'a', tool: 'look', arguments: '{"at": 1}' };
  const { body } = await ask({ kind: 'google' }, [answers.google], {
    changes: {
      closing: undefined,
      tools: [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }],
      messages: [
        { role: 'user', content: 'What is it?' },
        { role: 'assistant', content: '', toolCalls: [call] },
        { role: 'tool', content: 'a cat', toolCallId: 'a' },
      ],
    },
  });
  expect(body?.contents).toMatchObject([
    { role: 'user' },
    { role: 'model', parts: [{ functionCall: { name: 'look', args: { at: 1 } } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'look' } }] },
  ]);
});

test('sends a conversation without files as plain strings', async () => {
  const { body } = await ask({ kind: 'openai-compatible' }, [answers.chat], {
    changes: { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] },
  });
  expect(body?.messages).toEqual([
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Hi\n\nHeed this.' },
  ]);
});

test('a server without image input fails once with a remedy', async () => {
  const refusal = status(400, 'This model does not support image input.');
  const { outcome, count } = await ask({ kind: 'openai-compatible' }, [refusal]);
  expect(outcome).toMatchObject({
    ok: false,
    failure: {
      kind: 'bad_request',
      message: expect.stringContaining('did not accept the images or files of the case (HTTP 400): '),
      remedy: 'Choose a model that reads images or such files, or remove them from the case.',
    },
  });
  expect(count).toBe(1);
});

test('a deleted file fails before anything is sent', async () => {
  const { outcome, count } = await ask({ kind: 'openai-compatible' }, [answers.chat], { isStored: false });
  expect(outcome).toMatchObject({
    ok: false,
    failure: {
      message: 'A file of the case is not stored any more.',
      remedy: 'Upload the same file again on the page of a dataset, then resume the run.',
    },
  });
  expect(count).toBe(0);
});

test('estimates a fixed number of tokens for an image, not its bytes', async () => {
  const silent: Answer = (response, body, incoming) =>
    raw(
      JSON.stringify({
        ...{ id: 't', created: 1, model: 'm', object: 'chat.completion' },
        choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello' } }],
      }),
    )(response, body, incoming);
  const { outcome } = await ask({ kind: 'openai-compatible' }, [silent]);
  if (!outcome.ok) throw new Error(outcome.failure.message);
  expect(outcome.reply.tokenUsage.input).toBeGreaterThan(1_000);
  expect(outcome.reply.tokenUsage.input).toBeLessThan(1_200);
});
