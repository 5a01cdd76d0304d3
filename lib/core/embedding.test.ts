import { describe, expect, test } from 'vitest';
import { createModelCaller } from '#lib/providers/call/create-model-caller.ts';
import type { ProviderConfiguration } from '#lib/providers/provider-configuration.ts';
import type { ProviderKind } from '#lib/providers/provider-kinds.ts';
import { type Answer, raw, status } from '#lib/testing/scripted-server.test-support.ts';
import { serveScript } from '#lib/testing/serve-script.test-support.ts';
import { embeddingRequest, readEmbeddings } from './embedding-request.ts';

const TEXTS = ['Pemba', 'Unguja'];
const VECTORS = [
  [0.6, 0.8],
  [-0.1234567, 1],
];

function openaiAnswer(vectors: unknown[], usage: object | null = { prompt_tokens: 7, total_tokens: 7 }): Answer {
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
  return raw(JSON.stringify({ object: 'list', model: 'm', data, ...(usage && { usage }) }));
}

async function embed(kind: ProviderKind, answers: Answer[], more: Partial<ProviderConfiguration> = {}, texts = TEXTS) {
  const server = await serveScript(answers);
  const { baseUrl } = server;
  const configuration = { name: 'p', kind, baseUrl, apiKey: 'key-12345678', prices: {}, ...more };
  const call = createModelCaller({
    addresses: { allowLoopback: true, allowedPrivateHosts: [] },
    resolveProvider: async () => configuration,
    sleep: async () => {},
  });
  const model = { provider: 'p', model: 'text-embedding-3-small' };
  const signal = new AbortController().signal;
  const outcome = await call({ ...embeddingRequest(texts), model, ordinal: 0 }, { signal, onText: null });
  return { outcome, embedded: readEmbeddings(outcome, texts.length), requests: server.requests };
}

describe('calls embedding models like other models', () => {
  test.each<[ProviderKind, string, Answer]>([
    ['openai', '/v1/embeddings', openaiAnswer(VECTORS)],
    ['openai-compatible', '/v1/embeddings', openaiAnswer(VECTORS)],
    [
      'google',
      '/v1/models/text-embedding-3-small:batchEmbedContents',
      raw(JSON.stringify({ embeddings: VECTORS.map((values) => ({ values })) })),
    ],
  ])('%s', async (kind, url, answer) => {
    const { embedded, requests } = await embed(kind, [answer]);
    expect(embedded).toMatchObject({ ok: true, vectors: VECTORS });
    expect(requests).toHaveLength(1);
    expect(requests[0]?.url).toBe(url);
    for (const text of TEXTS) expect(JSON.stringify(requests[0]?.body)).toContain(text);
  });

  test('prices tokens by the price list or by custom prices', async () => {
    const listed = await embed('openai', [openaiAnswer(VECTORS)]);
    expect(listed.embedded.spend).toMatchObject({ tokenUsage: { input: 7, output: 0, total: 7 } });
    expect(listed.embedded.spend.costUsd).toBeGreaterThan(0);
    const prices = { 'text-embedding-3-small': { inputPerMillionUsd: 1_000_000, outputPerMillionUsd: 9 } };
    const own = await embed('openai-compatible', [openaiAnswer(VECTORS)], { prices });
    expect(own.embedded.spend.costUsd).toBe(7);
  });

  test('estimates unreported tokens and warns', async () => {
    const { outcome } = await embed('openai-compatible', [openaiAnswer(VECTORS, null)]);
    expect(outcome).toMatchObject({
      ok: true,
      reply: { tokenUsage: { total: 3 }, warnings: [expect.stringMatching(/did not report token usage/)] },
    });
  });

  test('retries after 429', async () => {
    const { outcome } = await embed('openai-compatible', [status(429, 'slow down'), openaiAnswer(VECTORS)]);
    expect(outcome).toMatchObject({ ok: true, reply: { attempts: 2 } });
  });

  test.each<[string, ProviderKind, Answer, Partial<ProviderConfiguration>, string, RegExp]>([
    ['an unknown model', 'openai', status(404, 'no such model'), {}, 'not_found', /does not know the model/],
    [
      'too few vectors',
      'openai-compatible',
      openaiAnswer([[1, 2]]),
      {},
      'malformed',
      /Expected 2 embeddings, but received 1/,
    ],
    ['vectors of different lengths', 'openai-compatible', openaiAnswer([[1, 2], [1]]), {}, 'malformed', /do not match/],
    ['empty vectors', 'openai-compatible', openaiAnswer([[], []]), {}, 'malformed', /do not match/],
    ['a chat response', 'openai-compatible', raw('{"choices":[]}'), {}, 'malformed', /could not be read/],
    ['a missing key', 'openai', openaiAnswer(VECTORS), { apiKey: null }, 'no_key', /has no API key/],
    ['a provider without embeddings', 'anthropic', openaiAnswer(VECTORS), {}, 'bad_request', /has no embedding models/],
  ])('%s fails with a readable message', async (_name, kind, answer, more, failure, words) => {
    const { embedded } = await embed(kind, [answer], more);
    expect(embedded).toMatchObject({ ok: false, failure: { kind: failure, message: expect.stringMatching(words) } });
  });
});

describe('practice embedding', () => {
  const similarity = async (one: string, other: string) => {
    const { embedded } = await embed('practice', [], {}, [one, other]);
    if (!embedded.ok) throw new Error(embedded.failure.message);
    const [a = [], b = []] = embedded.vectors;
    return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
  };

  test('places texts with the same words near each other, others far apart, deterministically', async () => {
    const near = await similarity('Rate limits protect the service.', 'The service is protected by its rate limits.');
    const far = await similarity('Rate limits protect the service.', 'My grandmother bakes plum cake on Sundays.');
    expect(near).toBeGreaterThan(0.5);
    expect(Math.abs(far)).toBeLessThan(0.3);
    expect(await similarity('Pemba', 'Pemba')).toBeCloseTo(1, 6);
    expect(await similarity('Rate limits protect the service.', 'The service is protected by its rate limits.')).toBe(
      near,
    );
  });

  test('accepts any text', async () => {
    for (const text of ['', '?!', '\ud800', 'a'.repeat(100_000), '島'])
      expect(Number.isFinite(await similarity(text, 'x'))).toBe(true);
  });
});
