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
    ['a status for an invalid key', apiError(401, 'bad key'), 'unauthorized', false],
    ['too many requests', apiError(429, 'slow down'), 'rate_limited', true],
    ['insufficient credit at OpenAI', apiError(429, 'You exceeded your current quota'), 'forbidden', false],
    ['insufficient credit at Anthropic', apiError(400, 'Your credit balance is too low'), 'forbidden', false],
    [
      'a wrong key, as Google says it',
      apiError(400, 'API key not valid. Please pass a valid API key.'),
      'unauthorized',
      false,
    ],
    ['a wrong key, as LiteLLM without a database says it', apiError(400, 'No connected db.'), 'unauthorized', false],
    ['a wrong key, as xAI says it', apiError(400, 'Incorrect API key provided: xa***'), 'unauthorized', false],
    [
      'a filtered prompt, as Azure says it',
      apiError(400, "The response was filtered due to the prompt triggering Azure OpenAI's content management policy."),
      'refused',
      false,
    ],
    ['a filtered prompt, as DeepSeek says it', apiError(400, 'Content Exists Risk'), 'refused', false],
    [
      'a flagged prompt, as OpenAI says it',
      apiError(400, 'Invalid prompt: your prompt was flagged as potentially violating our usage policy.'),
      'refused',
      false,
    ],
    [
      'a filtered answer, as Anthropic says it',
      apiError(400, 'Output blocked by content filtering policy'),
      'refused',
      false,
    ],
    [
      'an answer that Anthropic filters while it streams',
      { type: 'invalid_request_error', message: 'Output blocked by content filtering policy' },
      'refused',
      false,
    ],
    [
      'a flagged prompt, as OpenRouter says it',
      apiError(
        403,
        'openai/gpt-5 requires moderation on OpenAI. Your input was flagged for "violence". No credits were charged.',
      ),
      'refused',
      false,
    ],
    [
      'a flagged prompt, as xAI says it',
      apiError(403, 'Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO'),
      'refused',
      false,
    ],
    ['a key without permission', apiError(403, 'Your key may not use this model'), 'forbidden', false],
    ['an unknown server status', apiError(599, 'odd'), 'unavailable', true],
    ['an unknown client status', apiError(418, 'teapot'), 'bad_request', false],
    [
      'a success status with a body that is not JSON',
      apiError(200, 'Invalid JSON response', new SyntaxError('x')),
      'malformed',
      false,
    ],
    [
      'a success status with a broken body',
      apiError(200, 'Failed to process successful response', coded('ECONNRESET')),
      'network',
      true,
    ],
    ['a refused connection', apiError(undefined, 'Cannot connect to API', coded('ECONNREFUSED')), 'network', true],
    ['an unknown host', new TypeError('fetch failed', { cause: coded('ENOTFOUND') }), 'network', true],
    ['a bad certificate', new TypeError('fetch failed', { cause: coded('CERT_HAS_EXPIRED') }), 'network', true],
    ['an interrupted stream', new StreamCutError(), 'network', true],
    [
      'a stream without a final event',
      new InvalidResponseDataError({ data: undefined, message: 'Response stream ended without a finish reason.' }),
      'network',
      true,
    ],
    ['an error object in the stream', { message: 'overloaded' }, 'unavailable', true],
    ['an error object with a status in the stream', { message: 'slow down', code: 429 }, 'rate_limited', true],
    ['an error object with a named status in the stream', { message: 'no', code: '401' }, 'unauthorized', false],
    ['a text in the stream', 'overloaded', 'unavailable', true],
    ['no error', undefined, 'unavailable', true],
    [
      'a response that is too large',
      apiError(200, 'Failed', new AnswerTooLargeError('the response is larger than 64 MB')),
      'malformed',
      false,
    ],
    [
      'a forbidden address',
      apiError(undefined, 'Cannot connect to API', new RefusedAddressError('must be a public address')),
      'bad_request',
      false,
    ],
    ['another error', new Error('something odd'), 'malformed', false],
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
    ['a key in a URL', 'GET https://models.example/v1?key=abcdefghij0123456789 failed'],
    ['a password in a URL', 'Request to https://anna:pass@models.example failed'],
  ])('does not reveal %s', (_name, message) => {
    const shown = JSON.stringify(failureOf(apiError(400, message), context));
    expect(shown).not.toMatch(/my-very-secret-key|abcdefghij0123456789|sk-abcd|anna|pass@|set-cookie/);
  });

  test('truncates a long message of the provider', () => {
    expect(failureOf(apiError(400, 'word '.repeat(10_000)), context).message.length).toBeLessThan(500);
  });
});

test('reports a response that broke off as ended early, not as a server that is down', () => {
  const broken = apiError(200, 'Failed to process successful response', coded('UND_ERR_SOCKET'));
  expect(failureOf(broken, context)).toMatchObject({
    ...{ kind: 'network', again: true },
    message: 'The response of "m-1" from provider "work" (https://models.example/v1) ended early.',
  });
});

test('a rate limit that Google words like missing credit is retried', () => {
  const message =
    'You exceeded your current quota, please check your plan and billing details. * Quota exceeded for metric: generate_content_free_tier_requests, limit: 10';
  const limited = (details: object[]) =>
    new APICallError({
      ...{ message, url: 'https://models.example/v1', requestBodyValues: {}, statusCode: 429 },
      responseBody: JSON.stringify({ error: { code: 429, message, details } }),
    });
  const retryInfo = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '41s' };
  expect(failureOf(limited([retryInfo]), context)).toMatchObject({ kind: 'rate_limited', again: true });
  expect(failureOf(limited([]), context)).toMatchObject({ kind: 'forbidden', again: false });
});

test.each([
  "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
  'prompt is too long: 210000 tokens > 200000 maximum',
  'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
  'Input is too long for requested model.',
  'the request exceeds the available context size. try increasing the context size or enable context shift',
])('a prompt that is too long is reported as such: %s', (message) => {
  const { kind, message: text, remedy } = failureOf(apiError(400, message), context);
  expect(kind).toBe('bad_request');
  expect(text).toContain('as too long (HTTP 400)');
  expect(remedy).toMatch(/^Shorten the input/);
});

test('does not blame the files of a case if only the name of the model mentions vision', () => {
  const missing = apiError(404, 'model "llama3.2-vision" not found, try pulling it first');
  const failed = failureOf(missing, { ...context, model: 'llama3.2-vision', sendsFiles: true });
  expect(failed).toMatchObject({ kind: 'not_found', message: expect.stringContaining('does not know the model') });
  const unlisted = apiError(404, 'No endpoints found for meta/llama-vision.');
  expect(failureOf(unlisted, { ...context, model: 'meta/llama-vision', sendsFiles: true }).kind).toBe('not_found');
  const short = apiError(400, 'image input is not supported by m');
  expect(failureOf(short, { ...context, model: 'm', sendsFiles: true }).message).toContain('did not accept the images');
  const refused = apiError(400, 'llama3.2-vision: image input is not supported');
  expect(failureOf(refused, { ...context, model: 'llama3.2-vision', sendsFiles: true }).message).toContain(
    'did not accept the images',
  );
});

test.each([
  [429, 'rate_limited', true],
  [502, 'unavailable', true],
  [403, 'forbidden', false],
] as const)(
  'reads the status %i in the body of a response with status 200, as OpenRouter sends it',
  (code, kind, again) => {
    const error = new APICallError({
      message: 'Invalid JSON response',
      url: 'https://models.example/v1',
      requestBodyValues: {},
      statusCode: 200,
      responseBody: JSON.stringify({ error: { code, message: 'Provider returned error' } }),
    });
    expect(failureOf(error, context)).toMatchObject({ kind, again, status: code });
  },
);

test.each([
  [400, 'OpenAI', 'Your input exceeds the context window of this model. Please adjust your input and try again.'],
  [400, 'Anthropic', 'input length and `max_tokens` exceed context limit: 190000 + 21333 > 200000, decrease input'],
  [400, 'LM Studio', 'However, the model is loaded with context length of only 4096 tokens, which is not enough.'],
  [400, 'LM Studio', 'The number of tokens to keep is greater than the context length (n_keep: 5000>= n_ctx: 4096).'],
  [400, 'SGLang', "The input (5000 tokens) is longer than the model's context length (4096 tokens)."],
  [400, 'Moonshot AI', 'Invalid request: Your request exceeded model token limit: 8192'],
  [400, 'xAI', "This model's maximum prompt length is 131072 but the request contains 150000 tokens."],
  [422, 'Hugging Face', 'Input validation error: `inputs` must have less than 4096 tokens. Given: 5000'],
  [422, 'Together AI', 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 5000'],
  [500, 'llama.cpp', 'the request exceeds the available context size, try increasing it'],
])('names a prompt that is too long (HTTP %i), as %s says it', (status, _provider, message) => {
  expect(failureOf(apiError(status, message), context)).toMatchObject({
    ...{ kind: 'bad_request', again: false, message: expect.stringContaining('as too long') },
    remedy: expect.stringContaining('Shorten the input'),
  });
});

test.each([
  ['OpenAI', "The requested model 'gpt-5.9' does not exist."],
  ['DeepSeek', 'Model Not Exist'],
  ['Mistral', 'Invalid model: mistral-huge'],
  ['LiteLLM', 'Invalid model name passed in model=m-1. Call `/v1/models` to view available models for your key.'],
  ['OpenRouter', 'm-1 is not a valid model ID'],
  ['Amazon Bedrock', 'The provided model identifier is invalid.'],
])('names a model that does not exist (HTTP 400), as %s says it', (_provider, message) => {
  expect(failureOf(apiError(400, message), context)).toMatchObject({ kind: 'not_found', status: 400 });
});

test('names a spending limit that is reached, as Anthropic says it', () => {
  const message = 'You have reached your specified API usage limits. You will regain access on 2026-12-01.';
  expect(failureOf(apiError(400, message), context)).toMatchObject({ kind: 'forbidden' });
});

test.each([
  ['server_error', 'unavailable', true],
  ['rate_limit_exceeded', 'rate_limited', true],
  ['invalid_prompt', 'bad_request', false],
] as const)('reads the code %s of a response of OpenAI that failed', (code, kind, again) => {
  const error = new APICallError({
    ...{ message: 'Failed', url: 'https://models.example/v1', requestBodyValues: {}, statusCode: 400 },
    responseBody: JSON.stringify({ object: 'response', status: 'failed', error: { code, message: 'Failed' } }),
  });
  expect(failureOf(error, context)).toMatchObject({ kind, again });
  const unparsed = new APICallError({ ...error, message: 'Invalid JSON response', statusCode: 200 });
  expect(failureOf(unparsed, context)).toMatchObject({ kind, again });
});

test.each([
  [401, 'unauthorized', false],
  [429, 'rate_limited', true],
  [503, 'unavailable', true],
] as const)('keeps the status %i of a server whose errors have the status "failed"', (statusCode, kind, again) => {
  const error = new APICallError({
    ...{ message: 'Failed', url: 'https://models.example/v1', requestBodyValues: {}, statusCode },
    responseBody: JSON.stringify({ status: 'failed', message: 'Try again.' }),
  });
  expect(failureOf(error, context)).toMatchObject({ kind, again, status: statusCode });
});
