import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ModelRequest } from '#lib/core/model-request.ts';
import { type Answer, completion, raw, status } from '#lib/testing/scripted-server.test-support.ts';
import { serveScript } from '#lib/testing/serve-script.test-support.ts';
import { refusedParameterText } from '../refused-parameter-record.ts';
import { createModelCaller } from './create-model-caller.ts';
import type { NewRefusal } from './refused-parameters.ts';

const INSTRUCTIONS = 'Answer with the word otter.';
const WARNING = refusedParameterText('p/m', 'system_message');
type Message = { role: string; content: string | { text?: string }[] };

/** Serves a model that refuses system messages with `refusal`. It answers "otter" only if a user message contains the instructions. */
async function serve(refusal: Answer, isRefused = (messages: Message[]) => messages[0]?.role === 'system') {
  const answer: Answer = (response, body, request) => {
    const messages = z.custom<Message[]>(Array.isArray).parse(body.messages);
    const isInstructed = JSON.stringify(messages.filter(({ role }) => role === 'user')).includes(INSTRUCTIONS);
    const act = isRefused(messages) ? refusal : completion(isInstructed ? '{"word":"otter"}' : 'What shall I do?');
    act(response, body, request);
  };
  const { baseUrl, requests } = await serveScript([answer]);
  const kept: NewRefusal[] = [];
  const call = createModelCaller({
    addresses: { allowLoopback: true, allowedPrivateHosts: [] },
    resolveProvider: async () => ({
      ...{ name: 'p', kind: 'openai-compatible', baseUrl, apiKey: null, prices: {} },
      refused: kept.map(({ parameter }) => ({ model: 'm', parameter })),
    }),
    rememberRefused: async (_configuration, _model, refusals) => void kept.push(...refusals),
    maxAttempts: 2,
    sleep: async () => {},
  });
  const ask = (changes: Partial<ModelRequest> = {}, onText: ((piece: string) => void) | null = null) =>
    call(
      {
        ...{ role: 'generate', ordinal: 0, model: { provider: 'p', model: 'm' }, instructions: INSTRUCTIONS },
        ...{ prompt: 'Which animal?', temperature: null, maxOutputTokens: null, output: null, ...changes },
      },
      { signal: new AbortController().signal, onText },
    );
  const sent = () => requests.map(({ body }) => body.messages);
  return { ask, sent, kept };
}

const WORD = { ok: true, reply: { text: '{"word":"otter"}', warnings: expect.arrayContaining([WARNING]) } };
const jinja = (message: string) =>
  `\n------------\nWhile executing CallExpression at line 1, column 60 in source:\n...{{ raise_exception('${message}') }}...\nError: Jinja Exception: ${message}`;

describe('sends the instructions in the first user message to a model that refuses system messages with the error of', () => {
  test.each<[string, Answer]>([
    // vLLM with Gemma (vllm#2964, chat-ui#1386), and the templates of Mistral 7B and Mixtral (autogen#1037, ragflow#11021).
    ['vLLM, Gemma', status(400, 'System role not supported')],
    [
      'vLLM, Mistral',
      status(
        400,
        'Conversation roles must alternate user/assistant/user/assistant/... Conversation roles must alternate user/assistant/user/assistant/...',
      ),
    ],
    // llama.cpp answers 500 (ramalama#2425).
    ['llama.cpp', status(500, jinja('System role not supported'))],
    // LM Studio (anything-llm#2914, zed#45379).
    [
      'LM Studio',
      status(400, 'Error rendering prompt with jinja template: "Only user and assistant roles are supported!".'),
    ],
    // Text Generation Inference has the text in `error`.
    [
      'Text Generation Inference',
      (response) => {
        response.writeHead(422, { 'content-type': 'application/json' });
        const error = 'Template error: invalid operation: System role not supported (in <string>:1)';
        response.end(JSON.stringify({ error, error_type: 'template_error' }));
      },
    ],
    // Google's OpenAI-compatible API (rig#788, lobehub#7128).
    ['Google', status(400, 'Developer instruction is not enabled for models/gemma-3-27b-it')],
    // OpenAI o1-mini (forgecode#1177).
    ['OpenAI', status(400, "Unsupported value: 'messages[0].role' does not support 'system' with this model.")],
    ['Anthropic', status(400, "role 'system' is not supported on this model")],
    // Amazon Bedrock (instructor#1753).
    [
      'Bedrock',
      status(
        400,
        "This model doesn't support system messages. Try again without a system message or use a model that supports system messages.",
      ),
    ],
    // GLM (GLM-5#74). FastAPI has the text in `detail`.
    [
      'a server with FastAPI',
      (response) => {
        response.writeHead(422, { 'content-type': 'application/json' });
        const loc = ['body', 'messages', 0, 'role'];
        const detail = [{ type: 'literal_error', loc, msg: "Input should be 'user' or 'assistant'", input: 'system' }];
        response.end(JSON.stringify({ detail }));
      },
    ],
  ])('%s', async (_name, refusal) => {
    const { ask, sent, kept } = await serve(refusal);
    expect(await ask()).toMatchObject(WORD);
    expect(sent()).toEqual([
      [
        { role: 'system', content: INSTRUCTIONS },
        { role: 'user', content: 'Which animal?' },
      ],
      [{ role: 'user', content: `${INSTRUCTIONS}\n\nWhich animal?` }],
    ]);
    expect(kept).toMatchObject([{ parameter: 'system_message' }]);
    expect(await ask()).toMatchObject(WORD);
    expect(sent()).toHaveLength(3);
  });

  test('LM Studio in a stream', async () => {
    const error = { error: { message: 'Only user and assistant roles are supported!' } };
    const { ask, sent } = await serve(raw(`event: error\ndata: ${JSON.stringify(error)}\n\n`, 'text/event-stream'));
    expect(await ask({}, () => {})).toMatchObject(WORD);
    expect(sent()).toHaveLength(2);
  });
});

test('moves a schema, system messages of a conversation and descriptions of tools, too', async () => {
  const { ask, sent } = await serve(status(400, 'System role not supported'));
  await ask();
  const schema = z.object({ word: z.string() });
  expect(await ask({ output: { name: 'answer', schema } })).toMatchObject(WORD);
  expect(await ask({ instructions: '', output: { name: 'answer', schema } })).toMatchObject({ ok: true });
  const messages: ModelRequest['messages'] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'assistant', content: 'Hello!' },
    { role: 'user', content: 'Which animal?' },
  ];
  expect(await ask({ messages })).toMatchObject(WORD);
  expect(JSON.stringify(sent().slice(2))).not.toContain('"system"');
  expect(sent()[3]).toMatchObject([{ content: expect.stringMatching(/JSON schema[\s\S]+\n\nWhich animal\?$/) }]);
  expect(sent()[4]).toEqual([
    { role: 'user', content: `${INSTRUCTIONS}\n\nBe brief.` },
    { role: 'assistant', content: 'Hello!' },
    { role: 'user', content: 'Which animal?' },
  ]);
});

test.each([
  ['another order of roles', 'After the optional system message, conversation roles must alternate user/assistant/...'],
  ['tool messages', 'Only user, system and assistant roles are supported!'],
  ['a late system message', 'System message must be at the beginning.'],
])('an error about %s refuses no system messages', async (_name, message) => {
  const { ask, sent, kept } = await serve(status(400, message));
  expect(await ask()).toMatchObject({ ok: false });
  expect([sent().length, kept]).toEqual([1, []]);
});

test('a template error that remains without a system message is not remembered', async () => {
  const refusal = status(500, jinja('Conversation roles must alternate user/assistant/user/assistant/...'));
  const { ask, kept } = await serve(refusal, () => true);
  expect(await ask()).toMatchObject({ ok: false });
  expect(kept).toEqual([]);
});
