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

test.each<[string, [Options, Options], string, string]>([
  [
    'a response schema by OpenAI',
    SCHEMA,
    "Invalid schema for response_format 'answer': In context=('properties', 'temperature'), 'oneOf' is not permitted.",
    'response_format',
  ],
  [
    'a schema of a tool by Anthropic',
    TOOLS,
    "tools.0.custom.input_schema: input_schema does not support oneOf at 'temperature'",
    'tools',
  ],
  [
    'a schema of a tool by Google',
    TOOLS,
    'Unknown name "oneOf" at \'tools[0].function_declarations[0].parameters.properties[0].value\': Cannot find field.',
    'tools',
  ],
  [
    'tools together with a response schema by Google',
    BOTH,
    "Function calling with a response mime type: 'application/json' is unsupported",
    'response_format',
  ],
])('a refusal of %s holds for this request only', async (_name, [refused, taken], words, parameter) => {
  const answer: Answer = (response, body, request) => {
    const isRefused = body[parameter] !== undefined && JSON.stringify(body[parameter]).includes('oneOf');
    (isRefused ? status(400, words) : completion('{"note":"fine"}'))(response, body, request);
  };
  const server = await serveScript([answer]);
  const { baseUrl, requests } = server;
  const kept: NewRefusal[] = [];
  const call = createModelCaller({
    addresses: { allowLoopback: true, allowedPrivateHosts: [] },
    resolveProvider: async () => ({ name: 'p', kind: 'openai', baseUrl, apiKey: 'key-12345678', prices: {} }),
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
  expect(await ask(refused)).toMatchObject({ ok: true });
  expect(requests).toHaveLength(2);
  expect(requests[1]?.body).not.toHaveProperty(parameter);
  expect(requests[1]?.body.temperature).toBe(0.5);
  expect(await ask(taken)).toMatchObject({ ok: true });
  expect(requests[2]?.body).toHaveProperty(parameter);
  expect(kept).toEqual([]);
});
