import { describe, expect, test } from 'vitest';
import type { ModelRequest } from '#lib/core/model-request.ts';
import { type Answer, completion, raw, toolCompletion } from '#lib/testing/scripted-server.test-support.ts';
import { serveScript } from '#lib/testing/serve-script.test-support.ts';
import { createModelCaller } from './call/create-model-caller.ts';
import type { ProviderConfiguration } from './provider-configuration.ts';

/** Answers like a server that does not know streaming. */
const withoutStreaming =
  (answer: Answer): Answer =>
  (response, { stream: _, ...body }, request) =>
    answer(response, body, request);

const request: ModelRequest = {
  ...{
    role: 'generate',
    ordinal: 0,
    model: { provider: 'p', model: 'm' },
    instructions: '',
    prompt: 'Say "stream":true',
  },
  ...{ temperature: null, maxOutputTokens: null, output: null },
};

type Kind = Pick<ProviderConfiguration, 'kind' | 'options'>;

async function ask(answer: Answer, changes: Partial<ModelRequest> = {}, kind: Kind = { kind: 'openai-compatible' }) {
  const server = await serveScript([answer]);
  const pieces: string[] = [];
  const call = createModelCaller({
    addresses: { allowLoopback: true, allowedPrivateHosts: [] },
    resolveProvider: async () => ({
      ...{ name: 'p', prices: {}, baseUrl: server.baseUrl, apiKey: 'key', ...kind },
    }),
    maxAttempts: 2,
  });
  const onText = (piece: string) => pieces.push(piece);
  const outcome = await call({ ...request, ...changes }, { signal: new AbortController().signal, onText });
  return { outcome, pieces, requests: server.requests };
}

describe.each<Kind>([{ kind: 'openai-compatible' }, { kind: 'openai' }, { kind: 'azure', options: { api: 'chat' } }])(
  'a server of the kind $kind without streaming',
  (kind) => {
    test('reads a whole answer to a streamed request, and requests it only once', async () => {
      const { outcome, pieces, requests } = await ask(withoutStreaming(completion('Hello')), {}, kind);
      expect(outcome).toMatchObject({
        ok: true,
        reply: { text: 'Hello', finishReason: 'stop', tokenUsage: { input: 12, output: 5 }, warnings: [] },
      });
      expect(pieces).toEqual(['Hello']);
      expect(requests).toHaveLength(1);
      expect(requests[0]?.body.stream).toBe(true);
    });

    test('reads the tool calls of a whole answer', async () => {
      const tool = { name: 'search', description: 'Searches.', parameters: { type: 'object', properties: {} } };
      const answer = toolCompletion('', [
        ['search', '{"q":"a"}'],
        ['search', '{"q":"b"}'],
      ]);
      const { outcome, requests } = await ask(
        withoutStreaming(answer),
        { conversation: { messages: [], tools: [tool] } },
        kind,
      );
      expect(outcome).toMatchObject({
        ok: true,
        reply: {
          toolCalls: [
            { tool: 'search', arguments: '{"q":"a"}' },
            { tool: 'search', arguments: '{"q":"b"}' },
          ],
        },
      });
      expect(requests).toHaveLength(1);
    });
  },
);

test('shows the error of a body with status 200', async () => {
  const { outcome } = await ask(raw(JSON.stringify({ error: { message: 'The model m is overloaded.' } })));
  expect(outcome).toMatchObject({ ok: false });
  expect(JSON.stringify(outcome)).toContain('The model m is overloaded.');
});

test('fails for a body that is no completion', async () => {
  const { outcome } = await ask(raw('{"answer":'));
  expect(outcome).toMatchObject({ ok: false });
});
