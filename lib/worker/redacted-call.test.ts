import { expect, test } from 'vitest';
import type { ModelCaller, ModelRequest } from '#lib/providers/call/model-caller.ts';
import { redactedCall } from './recorded-call.ts';

const REQUEST: ModelRequest = {
  role: 'lesson',
  ordinal: 0,
  model: { provider: 'own', model: 'small' },
  instructions: '',
  prompt: 'What was learned?',
  temperature: null,
  maxOutputTokens: null,
  output: null,
};

function failsWith(message: string): ModelCaller {
  return async () => ({
    ok: false,
    failure: {
      kind: 'network',
      message,
      remedy: 'Start the server.',
      status: null,
      attempts: 1,
      latencyMs: 1,
      tokenUsage: { input: 0, output: 0, total: 0 },
      costUsd: 0,
    },
  });
}

const options = { signal: new AbortController().signal, onText: null };

test.each([
  'http://llm.internal:8080/v1',
  'http://192.168.1.20:11434/v1',
  'http://localhost:1234/v1',
  'http://[2001:db8::7]:8000/v1',
  'http://srv-llm-02:8000/v1',
])('keeps the provider address in the failure message of a lesson call: %s', async (address) => {
  const outcome = await redactedCall(failsWith(`${address} did not respond.`))(REQUEST, options);
  expect(outcome).toMatchObject({ ok: false, failure: { message: `${address} did not respond.` } });
});

test('redacts lesson text quoted in the failure message of a provider', async () => {
  const quoting = 'llm.internal:8080 could not read: "the password is swordfish1, ask anna@example.org"';
  const outcome = await redactedCall(failsWith(quoting))(REQUEST, options);
  expect(outcome).toMatchObject({
    ok: false,
    failure: {
      message: 'llm.internal:8080 could not read: "the password is [redacted: password], ask [redacted: e-mail]"',
    },
  });
});
