import { APICallError, InvalidResponseDataError } from '@ai-sdk/provider';
import { describe, expect, test } from 'vitest';
import { AnswerTooLargeError } from '#lib/outgoing/guarded-fetch.ts';
import { RefusedAddressError } from '#lib/outgoing/outgoing-address.ts';
import { failureOf } from './failure-of.ts';
import type { ModelFailureKind } from './model-caller.ts';
import { StreamCutError } from './request-once.ts';

const KEY = 'my-very-secret-key';
const context = {
  configuration: {
    name: 'work',
    kind: 'openai-compatible' as const,
    baseUrl: `https://anna:pass@models.example/v1/?key=${KEY}`,
    apiKey: KEY,
    prices: {},
  },
  model: 'm-1',
  timeoutMs: 90_000,
  cutOff: null,
};

function apiError(statusCode: number | undefined, message: string, cause?: unknown): APICallError {
  return new APICallError({
    message,
    url: 'https://models.example/v1',
    requestBodyValues: { authorization: KEY },
    statusCode,
    cause,
    responseHeaders: { 'set-cookie': KEY },
  });
}

function coded(code: string): Error {
  return Object.assign(new Error(`connect ${code}`), { code });
}

describe('failureOf', () => {
  test.each<[string, unknown, ModelFailureKind, boolean]>([
    ['a status of the key', apiError(401, 'bad key'), 'unauthorized', false],
    ['too many requests', apiError(429, 'slow down'), 'rate_limited', true],
    ['no credit left, as OpenAI says it', apiError(429, 'You exceeded your current quota'), 'forbidden', false],
    ['no credit left, as Anthropic says it', apiError(400, 'Your credit balance is too low'), 'forbidden', false],
    ['an unknown server status', apiError(599, 'odd'), 'unavailable', true],
    ['an unknown client status', apiError(418, 'teapot'), 'bad_request', false],
    [
      'a good status with a body that is no JSON',
      apiError(200, 'Invalid JSON response', new SyntaxError('x')),
      'malformed',
      false,
    ],
    [
      'a good status with a broken body',
      apiError(200, 'Failed to process successful response', coded('ECONNRESET')),
      'network',
      true,
    ],
    ['a refused connection', apiError(undefined, 'Cannot connect to API', coded('ECONNREFUSED')), 'network', true],
    ['an unknown host', new TypeError('fetch failed', { cause: coded('ENOTFOUND') }), 'network', true],
    ['a bad certificate', new TypeError('fetch failed', { cause: coded('CERT_HAS_EXPIRED') }), 'network', true],
    ['a stream that broke off', new StreamCutError(), 'network', true],
    [
      'a stream without an end',
      new InvalidResponseDataError({ data: undefined, message: 'Response stream ended without a finish reason.' }),
      'network',
      true,
    ],
    ['an error object in the stream', { message: 'overloaded' }, 'unavailable', true],
    ['an error object with a status in the stream', { message: 'slow down', code: 429 }, 'rate_limited', true],
    ['an error object with a status in words', { message: 'no', code: '401' }, 'unauthorized', false],
    ['a text in the stream', 'overloaded', 'unavailable', true],
    ['nothing', undefined, 'unavailable', true],
    [
      'a reply that is too large',
      apiError(200, 'Failed', new AnswerTooLargeError('the answer is larger than 64 MB')),
      'malformed',
      false,
    ],
    [
      'an address that must not be connected to',
      apiError(undefined, 'Cannot connect to API', new RefusedAddressError('must be a public address')),
      'bad_request',
      false,
    ],
    ['an error of another kind', new Error('something odd'), 'malformed', false],
  ])('%s', (_name, error, kind, again) => {
    const failed = failureOf(error, context);
    expect(failed).toMatchObject({ kind, again });
    expect(failed.message).toContain('provider "work" (https://models.example/v1)');
    expect(failed.remedy.length).toBeGreaterThan(10);
  });

  test.each(['aborted', 'timeout'] as const)(
    'the reason for ending the attempt takes priority over the error: %s',
    (cutOff) => {
      expect(failureOf(apiError(500, 'x'), { ...context, cutOff }).kind).toBe(cutOff);
    },
  );

  test.each<[string, string]>([
    ['the key', `Incorrect API key provided: ${KEY}.`],
    ['a bearer token', 'Header was Authorization: Bearer abcdefghij0123456789'],
    ['another key', 'Invalid key sk-proj-abcdefghij0123456789'],
    ['a masked key', 'Incorrect API key provided: sk-abcd*********wxyz'],
    ['a key in an address', 'GET https://models.example/v1?key=abcdefghij0123456789 failed'],
    ['a password in an address', 'Request to https://anna:pass@models.example failed'],
  ])('%s is not shown', (_name, message) => {
    const shown = JSON.stringify(failureOf(apiError(400, message), context));
    expect(shown).not.toMatch(/my-very-secret-key|abcdefghij0123456789|sk-abcd|anna|pass@|set-cookie/);
  });

  test('truncates a long message of the provider', () => {
    expect(failureOf(apiError(400, 'word '.repeat(10_000)), context).message.length).toBeLessThan(500);
  });
});
