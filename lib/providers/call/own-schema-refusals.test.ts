import { expect, test } from 'vitest';
import { answerForm, promptOptionsSchema } from '#lib/core/prompt-options.ts';
import { type Answer, completion, status } from '#lib/testing/scripted-server.test-support.ts';
import { serveScript } from '#lib/testing/serve-script.test-support.ts';
import { createModelCaller } from './create-model-caller.ts';
import type { NewRefusal } from './refused-parameters.ts';

const temperature = { type: 'object', properties: { temperature: { oneOf: [{ type: 'number' }] } } };
const plain = { type: 'object', properties: { note: { type: 'string' } } };
const tool = (parameters: object) => ({ name: 'report', description: 'Reports.', parameters });

type Options = { tools?: object[]; responseSchema?: object };
const SCHEMA: [Options, Options] = [{ responseSchema: { schema: temperature } }, { responseSchema: { schema: plain } }];
const TOOLS: [Options, Options] = [{ tools: [tool(temperature)] }, { tools: [tool(plain)] }];
const BOTH: [Options, Options] = [
  { tools: [tool(temperature)], responseSchema: { schema: temperature } },
  { tools: [tool(plain)], responseSchema: { schema: plain } },
];

/** Starts a server. Returns a caller, the requests and the remembered refusals. */
async function serve(answer: Answer) {
  const { baseUrl, requests } = await serveScript([answer]);
  const kept: NewRefusal[] = [];
  const call = createModelCaller({
    addresses: { allowLoopback: true, allowedPrivateHosts: [] },
    resolveProvider: async () => ({
      ...{ name: 'p', kind: 'openai', baseUrl, apiKey: 'key-12345678', prices: {} },
      refused: kept.map((one) => ({ ...one, model: 'm', refusedAt: '2026-01-01T00:00:00.000Z' })),
    }),
    rememberRefused: async (_configuration, _model, refusals) => void kept.push(...refusals),
    maxAttempts: 1,
  });
  const ask = (options: Options) =>
    call(
      {
        ...{ role: 'try', ordinal: 0, model: { provider: 'p', model: 'm' }, instructions: '', prompt: 'Hi' },
        ...{ temperature: 0.5, maxOutputTokens: null },
        ...answerForm(promptOptionsSchema.parse(options)),
      },
      { signal: new AbortController().signal, onText: null },
    );
  return { ask, requests, kept };
}

test.each<[string, [Options, Options], string, string]>([
  [
    'a response schema from OpenAI',
    SCHEMA,
    "Invalid schema for response_format 'answer': In context=('properties', 'temperature'), 'oneOf' is not permitted.",
    'response_format',
  ],
  [
    'a tool schema from Anthropic',
    TOOLS,
    "tools.0.custom.input_schema: input_schema does not support oneOf at 'temperature'",
    'tools',
  ],
  [
    'a tool schema from Google',
    TOOLS,
    'Unknown name "oneOf" at \'tools[0].function_declarations[0].parameters.properties[0].value\': Cannot find field.',
    'tools',
  ],
  [
    'tools with a response schema from Google',
    BOTH,
    "Function calling with a response mime type: 'application/json' is unsupported",
    'response_format',
  ],
  [
    'a tool schema from vLLM',
    TOOLS,
    "[{'type': 'extra_forbidden', 'loc': ('body', 'tools', 0, 'function', 'oneOf'), 'msg': 'Extra inputs are not permitted'}]",
    'tools',
  ],
  [
    'a property named like an error',
    [{ tools: [tool({ ...temperature, required: ['The model does not support tools'] })] }, TOOLS[1]],
    "Unknown member 'The model does not support tools' in the definition of the tool 'report'.",
    'tools',
  ],
  ['tools with reasoning', TOOLS, 'This model does not support tools when reasoning is enabled.', 'tools'],
])('a rejection of %s applies only to this request', async (_name, [refused, taken], words, parameter) => {
  const answer: Answer = (response, body, request) => {
    const isRefused = body[parameter] !== undefined && JSON.stringify(body[parameter]).includes('oneOf');
    (isRefused ? status(400, words) : completion('{"note":"fine"}'))(response, body, request);
  };
  const { ask, requests, kept } = await serve(answer);
  expect(await ask(refused)).toMatchObject({ ok: true });
  expect(requests).toHaveLength(2);
  expect(requests[1]?.body).not.toHaveProperty(parameter);
  expect(requests[1]?.body.temperature).toBe(0.5);
  expect(await ask(taken)).toMatchObject({ ok: true });
  expect(requests[2]?.body).toHaveProperty(parameter);
  expect(kept).toEqual([]);
});

test.each([
  ['OpenAI', "Unsupported parameter: 'tools' is not supported with this model."],
  ['Ollama', 'registry.ollama.ai/library/gemma:2b does not support tools'],
  ['vLLM', '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
  ['Groq', '`tool calling` is not supported with this model'],
  ['Google', 'Function calling is not enabled for models/gemma-3-27b-it'],
  ['Bedrock', "This model doesn't support tool use."],
  ['OpenRouter', 'No endpoints found that support tool use.'],
  ['llama.cpp', 'tools param requires --jinja flag'],
])('sends tools only once to a model that rejects them with the message of %s', async (_name, words) => {
  const answer: Answer = (response, body, request) => {
    const hasToolList = JSON.stringify(body.messages).includes('- report: Reports.');
    const text = hasToolList ? 'Thought: Done.\nAction: report\nAction Input: {}' : 'Not told.';
    (body.tools === undefined ? completion(text) : status(400, words))(response, body, request);
  };
  const { ask, requests, kept } = await serve(answer);
  const called = { ok: true, reply: { text: expect.stringContaining('"report"') } };
  expect(await ask(TOOLS[1])).toMatchObject(called);
  expect(requests).toHaveLength(2);
  expect(kept).toMatchObject([{ parameter: 'tools' }]);
  expect(await ask(TOOLS[0])).toMatchObject(called);
  expect(requests).toHaveLength(3);
  expect(requests[2]?.body).not.toHaveProperty('tools');
});
