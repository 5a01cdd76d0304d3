import { expect, test } from 'vitest';
import { type Answer, completion, raw, status, toolCompletion } from '#lib/testing/scripted-server.test-support.ts';
import { serveScript } from '#lib/testing/serve-script.test-support.ts';
import { createModelCaller } from './call/create-model-caller.ts';
import type { ProviderConfiguration } from './provider-configuration.ts';
import { tryModel } from './try-model.ts';

const KEY = 'sk-test-0123456789abcdef';
async function askAll(answers: Answer[], changes: Partial<ProviderConfiguration> = {}) {
  const server = await serveScript(answers);
  const configuration: ProviderConfiguration = {
    name: 'local',
    kind: 'openai-compatible',
    baseUrl: server.baseUrl,
    apiKey: KEY,
    prices: { small: { inputPerMillionUsd: 1, outputPerMillionUsd: 2 } },
    ...changes,
  };
  const ask = createModelCaller({
    addresses: { allowLoopback: true, allowedPrivateHosts: [] },
    resolveProvider: async () => configuration,
    maxAttempts: 1,
    timeoutMs: 2_000,
  });
  return {
    trial: await tryModel(ask, configuration, { model: 'small', temperature: null }, AbortSignal.timeout(5_000)),
    requests: server.requests,
  };
}

test('suggests a higher timeout for a model slower than the timeout of its provider', async () => {
  const { trial } = await askAll([() => {}], { timeoutSeconds: 1 });
  expect(trial).toMatchObject({ ok: false, failed: 'timeout' });
  expect(trial.remedy).toBe(
    'Raise the timeout below. A local server may still be loading the model: wait, then test again.',
  );
});

const JSON_WORD = completion('{"word":"ready"}');
const CALL = toolCompletion('', [['add', '{"a":20,"b":22}']]);
const LINES = completion('Thought: I add them.\nAction: add\nAction Input: {"a": 20, "b": 22}');
const REFUSAL = status(400, 'registry.ollama.ai/library/small does not support tools');

test.each<[string, Answer[], Partial<ProviderConfiguration>, object, RegExp, RegExp]>([
  [
    'an OpenAI-compatible server',
    [JSON_WORD, CALL],
    {},
    { json: 'prompt', tools: 'native', inputTokens: 24, outputTokens: 10, costUsd: 0.000044 },
    /answers\. It answers in JSON if the prompt asks for it\. It supports tool calls\./,
    /^$/,
  ],
  [
    'the OpenAI API',
    [JSON_WORD, CALL],
    { kind: 'openai' },
    { json: 'native', tools: 'native' },
    /supports JSON output/,
    /^$/,
  ],
  [
    'a model that rejects tools',
    [JSON_WORD, REFUSAL, LINES],
    {},
    { tools: 'prompt' },
    /if the prompt describes them/,
    /^$/,
  ],
  [
    'a model with tools in the prompt',
    [JSON_WORD, LINES],
    { toolsBy: 'prompt' },
    { tools: 'prompt' },
    /describes them/,
    /^$/,
  ],
  [
    'a model that may not get tools in the prompt',
    [JSON_WORD, REFUSAL],
    { toolsBy: 'native' },
    { tools: 'none' },
    /did not use a tool/,
    /described in the prompt/,
  ],
  [
    'a model that returns only text',
    [completion('Ready!'), completion('That is 42.')],
    {},
    { json: 'none', tools: 'none' },
    /does not respond in JSON\. It did not use a tool/,
    /turn off “Use structured output/,
  ],
  ['a model without a price', [JSON_WORD, CALL], { prices: {} }, { costUsd: null }, /answers/, /^$/],
  [
    'a model whose tool call fails for another reason',
    [JSON_WORD, status(401, 'expired')],
    {},
    { tools: null },
    /answers in JSON if[^.]*\.$/,
    /^$/,
  ],
])('%s', async (_name, answers, changes, call, message, remedy) => {
  const { trial } = await askAll(answers, changes);
  expect(trial.ok).toBe(true);
  const { costUsd, ...rest } = { costUsd: trial.call.costUsd, ...call };
  expect(trial.call).toMatchObject(rest);
  if (typeof costUsd === 'number') expect(trial.call.costUsd).toBeCloseTo(costUsd, 9);
  else expect(trial.call.costUsd).toBe(costUsd);
  expect(trial.message).toMatch(message);
  expect(trial.remedy).toMatch(remedy);
});

test.each<[string, Answer, RegExp, RegExp]>([
  [
    'a wrong key',
    status(401, `bad key ${KEY}`),
    /did not accept the API key/,
    /Create a new key in the provider’s console/,
  ],
  [
    'an unknown model',
    status(404, 'model "small" not found, try pulling it first'),
    /does not know the model "small"/,
    /Check the model name/,
  ],
  ['a server error', status(503, 'busy'), /not available/, /Wait, then test again/],
  ['an empty response', raw('<html></html>', 'text/html'), /could not be read/, /base URL/],
])('reports %s with its remedy and sends no further request', async (_name, answer, message, remedy) => {
  const { trial, requests } = await askAll([answer]);
  expect(trial).toMatchObject({ ok: false, call: { ok: false, json: null, tools: null } });
  expect(trial.message).toMatch(message);
  expect(trial.remedy).toMatch(remedy);
  expect(requests).toHaveLength(1);
  expect(JSON.stringify(trial)).not.toContain(KEY);
});
