import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { SamplingSettings } from '#lib/core/model-settings.ts';
import type { ModelRequest } from '#lib/providers/call/model-caller.ts';
import { type Answer, completion, raw } from '#lib/testing/scripted-server.test-support.ts';
import { serveScript } from '#lib/testing/serve-script.test-support.ts';
import { createModelCaller } from './call/create-model-caller.ts';
import type { ProviderConfiguration } from './provider-configuration.ts';
import type { ProviderKind } from './provider-kinds.ts';

const TEXT = '{"score":0.5}';
const anthropicAnswer = raw(
  JSON.stringify({
    type: 'message',
    id: 'm',
    role: 'assistant',
    model: 'claude',
    content: [{ type: 'text', text: TEXT }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 12, output_tokens: 5 },
  }),
);
const googleAnswer = raw(
  JSON.stringify({
    candidates: [{ content: { parts: [{ text: TEXT }], role: 'model' }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 5, totalTokenCount: 17 },
  }),
);

const request: ModelRequest = {
  role: 'evaluate',
  ordinal: 0,
  model: { provider: 'p', model: 'm' },
  instructions: 'Be brief.',
  prompt: 'Judge.',
  temperature: null,
  maxOutputTokens: 50,
  output: { name: 'verdict', schema: z.object({ score: z.number() }) },
};

async function ask(kind: ProviderKind, model: string, answer: Answer, changes: Partial<ModelRequest> = {}) {
  const server = await serveScript([answer]);
  const configuration: ProviderConfiguration = {
    name: 'p',
    kind,
    baseUrl: server.baseUrl,
    apiKey: 'key-12345678',
    prices: {},
  };
  const call = createModelCaller({
    addresses: { allowLoopback: true, allowedPrivateHosts: [] },
    resolveProvider: async () => configuration,
    maxAttempts: 1,
  });
  const outcome = await call(
    { ...request, ...changes, model: { provider: 'p', model } },
    { signal: new AbortController().signal, onText: null },
  );
  return { outcome, sent: server.requests[0] };
}

describe('native structured output sends the schema as its own setting', () => {
  test.each<[ProviderKind, string, Answer, string, RegExp]>([
    ['openai', 'gpt-4o', completion(TEXT), '/v1/chat/completions', /"response_format":\{"type":"json_schema"/],
    ['anthropic', 'claude-sonnet-4-5', anthropicAnswer, '/v1/messages', /"score"/],
    [
      'google',
      'gemini-2.5-flash',
      googleAnswer,
      '/v1/models/gemini-2.5-flash:generateContent',
      /responseMimeType":"application\/json"/,
    ],
  ])('%s', async (kind, model, answer, url, schema) => {
    const { outcome, sent } = await ask(kind, model, answer);
    expect(outcome).toMatchObject({
      ok: true,
      reply: { text: TEXT, finishReason: 'stop', tokenUsage: { input: 12, output: 5, total: 17 } },
    });
    expect(sent?.url).toBe(url);
    expect(JSON.stringify(sent?.body)).toMatch(schema);
    expect(sent?.body).not.toHaveProperty('store');
    if (outcome.ok) expect(outcome.reply.costUsd).toBeGreaterThan(0);
  });
});

describe('model settings are mapped to the parameters of', () => {
  const sampling: SamplingSettings = {
    topP: 0.9,
    seed: 7,
    stopSequences: ['END'],
    reasoningEffort: 'low',
    providerOptions: { user: 'somebody' },
    headers: { 'X-Team': 'research' },
  };

  test.each<[ProviderKind, string, Answer, Record<string, unknown>]>([
    [
      'openai-compatible',
      'm',
      completion(TEXT),
      { top_p: 0.9, seed: 7, stop: ['END'], reasoning_effort: 'low', user: 'somebody', max_tokens: 50 },
    ],
    ['openai', 'gpt-4o', completion(TEXT), { top_p: 0.9, seed: 7, stop: ['END'], user: 'somebody', max_tokens: 50 }],
    ['anthropic', 'claude-sonnet-4-5', anthropicAnswer, { stop_sequences: ['END'] }],
    [
      'google',
      'gemini-2.5-flash',
      googleAnswer,
      {
        generationConfig: expect.objectContaining({
          ...{ topP: 0.9, seed: 7, stopSequences: ['END'], maxOutputTokens: 50 },
          thinkingConfig: expect.anything(),
        }),
      },
    ],
  ])('%s', async (kind, model, answer, body) => {
    const { outcome, sent } = await ask(kind, model, answer, { sampling });
    expect(outcome.ok).toBe(true);
    expect(sent?.body).toMatchObject(body);
    expect(sent?.headers['x-team']).toBe('research');
  });
});

test('uses the Responses API for OpenAI without a base URL', async () => {
  const { languageModel } = await import('./language-model.ts');
  const reachable = await languageModel(
    { name: 'openai', kind: 'openai', baseUrl: null, apiKey: 'k', prices: {} },
    'gpt-4o',
    { role: 'generate', practicePaceMs: 0, fetch },
  );
  expect(reachable).toMatchObject({
    ok: true,
    structured: 'native',
    model: { provider: 'openai.responses', modelId: 'gpt-4o' },
  });
});
