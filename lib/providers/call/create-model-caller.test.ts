import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ProviderConfiguration } from '#lib/providers/provider-configuration.ts';
import {
  type Answer,
  brokenStream,
  completion,
  raw,
  type ScriptedServer,
  status,
  toolCompletion,
} from '#lib/testing/scripted-server.test-support.ts';
import { serveScript } from '#lib/testing/serve-script.test-support.ts';
import { createModelCaller, type ModelCallerOptions } from './create-model-caller.ts';
import type { ModelFailureKind, ModelOutcome, ModelRequest } from './model-caller.ts';

const KEY = 'sk-test-0123456789abcdef';
const request: ModelRequest = {
  role: 'generate',
  ordinal: 0,
  model: { provider: 'local', model: 'small' },
  instructions: 'Be brief.',
  prompt: 'Say hello.',
  temperature: 0,
  maxOutputTokens: null,
  output: null,
};

type Run = { outcome: ModelOutcome; waits: number[]; pieces: string[]; server: ScriptedServer };

/** Calls a scripted server through the OpenAI-compatible provider; records waits instead of waiting. */
async function ask(
  answers: Answer[],
  options: {
    streamed?: boolean;
    request?: Partial<ModelRequest>;
    caller?: Partial<ModelCallerOptions>;
    signal?: AbortSignal;
    configuration?: Partial<ProviderConfiguration>;
  } = {},
): Promise<Run> {
  const server = await serveScript(answers);
  const waits: number[] = [];
  const pieces: string[] = [];
  const configuration: ProviderConfiguration = {
    name: 'local',
    kind: 'openai-compatible',
    baseUrl: server.baseUrl,
    apiKey: KEY,
    prices: {},
    ...options.configuration,
  };
  const call = createModelCaller({
    addresses: { allowLoopback: true, allowedPrivateHosts: [] },
    resolveProvider: async (name) => (name === 'local' ? configuration : null),
    sleep: async (milliseconds) => void waits.push(milliseconds),
    maxAttempts: 3,
    timeoutMs: 5_000,
    ...options.caller,
  });
  const outcome = await call(
    { ...request, ...options.request },
    {
      signal: options.signal ?? new AbortController().signal,
      onText: options.streamed ? (piece) => void pieces.push(piece) : null,
    },
  );
  return { outcome, waits, pieces, server };
}

async function closedPort(): Promise<string> {
  const closed = await serveScript([]);
  await closed.close();
  return closed.baseUrl;
}

function failureIn({ outcome }: Run) {
  if (outcome.ok) throw new Error(`expected a failure, got "${outcome.reply.text.slice(0, 80)}"`);
  return outcome.failure;
}

function responseIn({ outcome }: Run) {
  if (!outcome.ok) throw new Error(`expected a reply, got ${outcome.failure.message}`);
  return outcome.reply;
}

describe.each([
  ['whole', false],
  ['streamed', true],
])('a %s response', (_name, streamed) => {
  test('returns usage, finish reason and attempts for a plain request', async () => {
    const run = await ask([completion('Hello there.')], { streamed });
    expect(responseIn(run)).toMatchObject({
      text: 'Hello there.',
      finishReason: 'stop',
      tokenUsage: { input: 12, output: 5, total: 17 },
      costUsd: null,
      attempts: 1,
      warnings: [],
    });
    expect(run.pieces.join('')).toBe(streamed ? 'Hello there.' : '');
    const [sent] = run.server.requests;
    expect(sent?.url).toBe('/v1/chat/completions');
    expect(sent?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(sent?.body).toMatchObject({
      model: 'small',
      temperature: 0,
      messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user' }],
    });
    expect(sent?.body).not.toHaveProperty('response_format');
    expect(sent?.body).not.toHaveProperty('max_tokens');
  });

  test('is priced by the prices of the provider', async () => {
    const run = await ask([completion('Hi')], {
      streamed,
      configuration: { prices: { small: { inputPerMillionUsd: 1_000_000, outputPerMillionUsd: 2_000_000 } } },
    });
    expect(responseIn(run).costUsd).toBe(22);
  });

  test('of a structured request has the schema in its prompt and returns the raw text', async () => {
    const output = { name: 'verdict', schema: z.object({ score: z.number() }) };
    const run = await ask([completion('Sure: {"score": "high"}')], { streamed, request: { output } });
    expect(responseIn(run).text).toBe('Sure: {"score": "high"}');
    const sent = JSON.stringify(run.server.requests[0]?.body);
    expect(sent).toContain('score');
    expect(sent).toContain('JSON schema');
    expect(sent).not.toContain('response_format');
  });

  test('truncated at its maximum length is returned with that finish reason', async () => {
    const run = await ask([completion('Hello th', 'length')], { streamed, request: { maxOutputTokens: 3 } });
    expect(responseIn(run)).toMatchObject({ text: 'Hello th', finishReason: 'length' });
    expect(run.server.requests[0]?.body.max_tokens).toBe(3);
  });

  test('of two megabytes is read completely', async () => {
    const text = 'äbcd efgh '.repeat(200_000);
    expect(responseIn(await ask([completion(text)], { streamed })).text).toBe(text);
  });

  const ZEROS = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  test.each([
    ['without usage', null],
    ['with a usage of zeros', ZEROS],
  ])('%s gets estimated usage and a warning', async (_name, usage) => {
    const response = responseIn(await ask([completion('Hello there.', 'stop', usage)], { streamed }));
    expect(response.tokenUsage.output).toBe(3);
    expect(response.tokenUsage.input).toBeGreaterThan(0);
    expect(response.warnings.join(' ')).toMatch(/usage.*estimated/);
  });

  test.each([
    ['of a script without spaces', completion('北京是中国的首都。', 'stop', null), 9],
    ['of its reasoning', toolCompletion('', [['add', '{}']], undefined, 'x'.repeat(400), null), 110],
  ])('without usage counts the tokens %s', async (_name, answer, least) => {
    const tools = [{ name: 'add', description: 'Adds.', parameters: { type: 'object', properties: {} } }];
    const response = responseIn(await ask([answer], { streamed, request: { conversation: { messages: [], tools } } }));
    expect(response.tokenUsage.output).toBeGreaterThanOrEqual(least);
  });

  test('without usage counts the names and parameters of tools as input', async () => {
    const inputOf = async (name: string, description: string) => {
      const properties = { text: { type: 'string', description } };
      const tools = [{ name, description: 'Adds.', parameters: { type: 'object', properties } }];
      const request = { conversation: { messages: [], tools } };
      return responseIn(await ask([completion('Hi.', 'stop', null)], { streamed, request })).tokenUsage.input;
    };
    const short = await inputOf('add', 'x');
    expect((await inputOf('add', 'x'.repeat(401))) - short).toBe(100);
    expect((await inputOf(`add${'x'.repeat(40)}`, 'x')) - short).toBe(10);
  });

  test('has characters that cannot be stored replaced', async () => {
    const response = responseIn(await ask([completion('a\u0000b')], { streamed }));
    expect(response.text).toBe('a\ufffdb');
    expect(response.warnings.join(' ')).toMatch(/U\+FFFD/);
  });

  test.each<[string, Answer, ModelFailureKind, number]>([
    ['empty', completion(''), 'empty', 1],
    ['only white space', completion(' \n '), 'empty', 1],
    ['empty because it ran out of tokens', completion('', 'length'), 'empty', 1],
    ['only reasoning up to the last token', completion('<think>Hm, what if', 'length'), 'empty', 1],
    ['only reasoning', completion('<think>Hm.</think>\n'), 'empty', 1],
    ['blocked by a content filter', completion('I ca', 'content_filter'), 'refused', 1],
  ])('a response that is %s is a failure whose tokens are counted', async (_case, answer, kind, attempts) => {
    const failure = failureIn(await ask([answer], { streamed }));
    expect(failure).toMatchObject({ kind, attempts, tokenUsage: { input: 12, output: 5, total: 17 } });
    expect(failure.remedy).not.toBe('');
  });

  test.each<[number, ModelFailureKind, boolean | 'once', RegExp]>([
    [400, 'bad_request', false, /refused the request/],
    [401, 'unauthorized', false, /key/],
    [402, 'forbidden', false, /payment/],
    [403, 'forbidden', false, /does not allow/],
    [404, 'not_found', false, /does not know the model "small"/],
    [408, 'timeout', 'once', /timed out/],
    [409, 'unavailable', true, /cannot accept/],
    [413, 'bad_request', false, /too long/],
    [422, 'bad_request', false, /refused the request/],
    [429, 'rate_limited', true, /refuses more requests/],
    [500, 'unavailable', true, /not available/],
    [503, 'unavailable', true, /not available/],
    [504, 'timeout', 'once', /timed out/],
    [524, 'timeout', 'once', /timed out/],
    [529, 'rate_limited', true, /refuses more requests/],
  ])('HTTP %i is %s', async (code, kind, again, words) => {
    const run = await ask([status(code, `it went wrong with ${KEY}`)], { streamed });
    const failure = failureIn(run);
    const waits = again === true ? [1_000, 2_000] : again === 'once' ? [1_000] : [];
    expect(failure).toMatchObject({ kind, status: code, attempts: waits.length + 1, costUsd: 0 });
    expect(failure.message).toMatch(words);
    expect(failure.message).toContain(`HTTP ${code}`);
    expect(failure.message).toContain('provider "local" (http://127.0.0.1:');
    expect(failure.message).toContain('it went wrong');
    expect(failure.remedy.length).toBeGreaterThan(15);
    expect(JSON.stringify(failure)).not.toContain(KEY);
    expect(run.waits).toEqual(waits);
    expect(run.server.requests).toHaveLength(waits.length + 1);
  });

  test('never follows a redirect with the key', async () => {
    const failure = failureIn(
      await ask([status(307, 'elsewhere', { location: 'http://127.0.0.1:1/v1' })], { streamed }),
    );
    expect(failure).toMatchObject({ kind: 'bad_request', status: 307, attempts: 1 });
  });

  test('succeeds after two failures', async () => {
    const run = await ask([status(500, 'no'), status(429, 'no', { 'retry-after': '7' }), completion('Hello')], {
      streamed,
    });
    expect(responseIn(run)).toMatchObject({ text: 'Hello', attempts: 3 });
    expect(run.waits).toEqual([1_000, 7_000]);
  });

  test.each([
    ['Google', { details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' }] }, 34_500],
    ['OpenAI', { message: 'Rate limit reached for small (TPM). Please try again in 1m2.5s. Visit …' }, 62_500],
    ['OpenAI, below a second', { message: 'Please try again in 350ms.' }, 350],
  ])('waits as long as the body of %s requests', async (_name, error, waitMs) => {
    const limited: Answer = (response) => {
      response.writeHead(429, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { code: 429, message: 'Quota exceeded.', ...error } }));
    };
    const run = await ask([limited, completion('Hello')], {});
    if (waitMs > 60_000) expect(failureIn(run)).toMatchObject({ kind: 'rate_limited', attempts: 1 });
    else expect(responseIn(run).attempts).toBe(2);
    expect(run.waits).toEqual(waitMs > 60_000 ? [] : [waitMs]);
  });

  test('respects Retry-After as a date', async () => {
    const nowMs = Date.parse('2026-05-04T10:00:00Z');
    const answers = [status(503, 'no', { 'retry-after': 'Mon, 04 May 2026 10:00:20 GMT' }), completion('Hello')];
    const run = await ask(answers, { streamed, caller: { now: () => nowMs } });
    expect(responseIn(run).attempts).toBe(2);
    expect(run.waits).toEqual([20_000]);
  });

  test.each<[string, Record<string, string>, number]>([
    // OpenAI and Groq.
    [
      'durations: the longest of the exhausted limits',
      {
        ...{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '1s' },
        ...{ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '7.66s' },
      },
      7_660,
    ],
    [
      'no limit with something remaining',
      {
        ...{ 'x-ratelimit-remaining-requests': '59', 'x-ratelimit-reset-requests': '6m0s' },
        ...{ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '350ms' },
      },
      350,
    ],
    ['seconds', { 'x-ratelimit-reset': '12' }, 12_000],
    ['seconds since 1970', { 'x-ratelimit-reset': '1777888830' }, 30_000],
    // OpenRouter.
    ['milliseconds since 1970', { 'x-ratelimit-reset': '1777888815500', 'x-ratelimit-remaining': '0' }, 15_500],
    ['Retry-After first', { 'retry-after': '3', 'x-ratelimit-reset': '12' }, 3_000],
    ['no time in the past', { 'x-ratelimit-reset': '1777888700' }, 1_000],
    ['no unreadable value', { 'x-ratelimit-reset': 'soon' }, 1_000],
    ['no limits if none is exhausted', { 'x-ratelimit-reset': '12', 'x-ratelimit-remaining': '5' }, 1_000],
  ])('a rate limit waits for its reset: %s', async (_name, headers, waitMs) => {
    const nowMs = Date.parse('2026-05-04T10:00:00Z');
    const run = await ask([status(429, 'no', headers), completion('Hello')], {
      streamed,
      caller: { now: () => nowMs },
    });
    expect(responseIn(run).attempts).toBe(2);
    expect(run.waits).toEqual([waitMs]);
  });

  test('a server error does not wait for the reset of a rate limit', async () => {
    const run = await ask([status(500, 'no', { 'x-ratelimit-reset': '12' }), completion('Hello')], { streamed });
    expect(run.waits).toEqual([1_000]);
  });

  test('the body of OpenRouter can contain the reset of a daily limit', async () => {
    const headers = { 'X-RateLimit-Limit': '50', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '1777939200000' };
    const message =
      'Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day';
    const limited: Answer = (response) => {
      response.writeHead(429, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message, code: 429, metadata: { headers } } }));
    };
    const nowMs = Date.parse('2026-05-04T10:00:00Z');
    const run = await ask([limited], { streamed, caller: { now: () => nowMs } });
    expect(failureIn(run)).toMatchObject({ kind: 'rate_limited', attempts: 1 });
    expect(failureIn(run).remedy).toContain('at 5 May 2026, 00:00 UTC, 14 h after this error. Resume');
  });

  test('fails immediately if Retry-After is beyond all dates', async () => {
    const run = await ask([status(429, 'quota', { 'retry-after': '9'.repeat(400) })], { streamed });
    expect(failureIn(run)).toMatchObject({ kind: 'rate_limited', attempts: 1 });
  });

  test.each([
    [
      'a wait that does not end on a minute',
      429,
      61,
      'at 4 May 2026, 10:02 UTC, 2 min after this error. Resume the run then, choose',
    ],
    ['an overloaded server', 503, 90, 'at 4 May 2026, 10:02 UTC, 2 min after this error. Resume the run then.'],
    ['a limit of a week', 429, 604_800, 'at 11 May 2026, 10:00 UTC, 7 days after this error.'],
  ])('names the time after which requests are accepted: %s', async (_name, code, seconds, words) => {
    const nowMs = Date.parse('2026-05-04T10:00:00Z');
    const answers = [status(code, 'no', { 'retry-after': String(seconds) })];
    expect(failureIn(await ask(answers, { streamed, caller: { now: () => nowMs } })).remedy).toContain(words);
  });

  test('fails immediately if Retry-After exceeds a minute and names the time', async () => {
    const nowMs = Date.parse('2026-05-04T10:00:00Z');
    const run = await ask([status(429, 'quota', { 'retry-after': '3600' })], {
      streamed,
      caller: { now: () => nowMs },
    });
    expect(failureIn(run)).toMatchObject({ kind: 'rate_limited', attempts: 1 });
    expect(failureIn(run).remedy).toBe(
      'Requests are accepted again at 4 May 2026, 11:00 UTC, 60 min after this error. Resume the run then, choose another model, or raise the limit at the provider.',
    );
    expect(run.waits).toEqual([]);
  });

  test.each<[string, Answer]>([
    ['broken JSON', raw('{"choices": [')],
    ['a web page', raw('<html>Welcome</html>', 'text/html')],
    ['JSON with another structure', raw('{"hello": "world"}')],
    ['JSON without choices', raw('{"choices": []}')],
  ])('%s is reported as malformed or interrupted', async (_case, answer) => {
    const failure = failureIn(await ask([answer], { streamed }));
    expect(['malformed', 'network']).toContain(failure.kind);
    expect(failure.message).toContain('small');
  });

  test('times out if the server never responds', async () => {
    const run = await ask([() => {}], { streamed, caller: { timeoutMs: 60, maxAttempts: 2 } });
    expect(failureIn(run)).toMatchObject({ kind: 'timeout', attempts: 2 });
    expect(failureIn(run).message).toContain('0.1 s');
  });

  test('is aborted immediately, even while the server is silent', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    const startedAt = performance.now();
    const run = await ask([() => {}], { streamed, signal: stop.signal });
    expect(failureIn(run)).toMatchObject({ kind: 'aborted', attempts: 1 });
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  test('is aborted while waiting for the next attempt', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    const run = await ask([status(500, 'no')], { streamed, signal: stop.signal, caller: { sleep: undefined } });
    expect(failureIn(run)).toMatchObject({ kind: 'aborted', attempts: 1 });
  });

  test('sends no request if aborted before the call', async () => {
    const run = await ask([completion('Hello')], { streamed, signal: AbortSignal.abort() });
    expect(failureIn(run).kind).toBe('aborted');
    expect(run.server.requests).toHaveLength(0);
  });

  test.each([
    ['a closed port', closedPort],
    ['a port that fetch blocks', async () => 'http://127.0.0.1:1/v1'],
    ['an unknown host', async () => 'http://nowhere.invalid/v1'],
  ])('returns a network failure for %s', async (_case, address) => {
    const baseUrl = await address();
    const run = await ask([completion('Hello')], { streamed, configuration: { baseUrl } });
    expect(failureIn(run)).toMatchObject({ kind: 'network', status: null, attempts: 3 });
    expect(failureIn(run).message).toContain(baseUrl);
  });

  test('returns a network failure for a broken connection', async () => {
    const run = await ask([(response) => void response.socket?.destroy()], { streamed });
    expect(failureIn(run)).toMatchObject({ kind: 'network', attempts: 3 });
  });
});

describe('a stream that fails partway', () => {
  test.each<[string, Answer, ModelFailureKind, number]>([
    ['ends without a final event', brokenStream(['Hel'], (response) => response.end()), 'network', 3],
    ['loses its connection', brokenStream(['Hel'], (response) => void response.socket?.destroy()), 'network', 3],
    [
      'sends an error',
      brokenStream(['Hel'], (response) =>
        response.end(`data: ${JSON.stringify({ error: { message: 'overloaded' } })}\n\n`),
      ),
      'unavailable',
      3,
    ],
    ['stops sending', brokenStream(['Hel'], () => {}), 'timeout', 1],
  ])('%s', async (_name, answer, kind, attempts) => {
    const run = await ask([answer], { streamed: true, caller: { timeoutMs: 300 } });
    expect(failureIn(run)).toMatchObject({ kind, attempts, maybeBilled: { tries: attempts } });
    expect(run.pieces).toEqual(['Hel']);
  });

  test.each([
    { error: 'out of memory' },
    { error: { message: 'out of memory' } },
    { error: { detail: 'out of memory' } },
  ])('shows the message of the event %j', async (event) => {
    const answer = brokenStream(['Hel'], (response) => response.end(`data: ${JSON.stringify(event)}\n\n`));
    expect(failureIn(await ask([answer], { streamed: true }))).toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/reported an error while "small" was answering: .*out of memory/),
      attempts: 3,
    });
  });

  test.each([
    ['no line break', ''],
    ['one line break', '\n'],
    ['half of an empty line', '\r\n\r'],
  ])('shows the message of a last event with %s after it', async (_name, end) => {
    const event = { error: { message: 'out of memory' } };
    const answer = brokenStream(['Hel'], (response) => response.end(`data: ${JSON.stringify(event)}${end}`));
    const run = await ask([answer], { streamed: true });
    expect(failureIn(run)).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('out of memory') });
    expect(run.pieces).toEqual(['Hel']);
  });

  test('ended early if its last event is incomplete', async () => {
    const answer = brokenStream(['Hel'], (response) => response.end('data: {"error": {"message": "out of'));
    expect(failureIn(await ask([answer], { streamed: true }))).toMatchObject({ kind: 'network' });
  });

  const events = (...values: object[]) => values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('');
  const begun = [
    {
      type: 'message_start',
      message: {
        ...{ id: 'msg_1', type: 'message', role: 'assistant', content: [], model: 'small', stop_reason: null },
        ...{ stop_sequence: null, usage: { input_tokens: 9, output_tokens: 1 } },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  ];
  test.each<[string, Partial<ProviderConfiguration>, string, string]>([
    [
      'OpenAI',
      { kind: 'openai' },
      events({
        id: 'x',
        created: 1,
        model: 'small',
        choices: [{ index: 0, delta: { role: 'assistant', content: 'Hel' } }],
      }),
      'Hel',
    ],
    [
      'the responses API of OpenAI',
      { kind: 'openai', options: { api: 'responses' } },
      events(
        { type: 'response.created', response: { id: 'resp_1', created_at: 1, model: 'small' } },
        {
          ...{ type: 'response.output_item.added', output_index: 0 },
          item: { type: 'message', id: 'msg_1', status: 'in_progress', role: 'assistant', content: [] },
        },
        { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'Hel' },
      ),
      'Hel',
    ],
    [
      'Anthropic',
      { kind: 'anthropic' },
      events(...begun, { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } }),
      'Hel',
    ],
    ['Anthropic before any text', { kind: 'anthropic' }, events(...begun), ''],
    [
      'Google',
      { kind: 'google' },
      events({ candidates: [{ content: { parts: [{ text: 'Hel' }], role: 'model' }, index: 0 }] }),
      'Hel',
    ],
  ])('%s: an answer that ends without a final event is retried', async (_name, configuration, text, piece) => {
    const answer = raw(text, 'text/event-stream');
    const run = await ask([answer], { streamed: true, configuration });
    expect(failureIn(run)).toMatchObject({ kind: 'network', attempts: 3, maybeBilled: { tries: 3 } });
    expect(run.pieces.join('')).toBe(piece);
  });

  test('is retried, and the second attempt replaces the text of the first', async () => {
    const run = await ask([brokenStream(['Hel'], (response) => response.end()), completion('Hello')], {
      streamed: true,
    });
    expect(responseIn(run)).toMatchObject({ text: 'Hello', attempts: 2 });
    expect(run.pieces).toEqual(['Hel']);
  });
});

describe('unusable provider configurations', () => {
  test.each<[string, Partial<ProviderConfiguration>, ModelFailureKind]>([
    ['OpenAI without a key', { kind: 'openai', baseUrl: null, apiKey: null }, 'no_key'],
    ['Anthropic with a blank key', { kind: 'anthropic', baseUrl: null, apiKey: ' ' }, 'no_key'],
    ['Google without a key', { kind: 'google', baseUrl: null, apiKey: null }, 'no_key'],
    ['no base URL', { baseUrl: null }, 'bad_request'],
    ['an invalid base URL', { baseUrl: 'localhost' }, 'bad_request'],
    ['a file URL as base URL', { baseUrl: 'file:///etc/passwd' }, 'bad_request'],
  ])('%s', async (_name, configuration, kind) => {
    const failure = failureIn(await ask([completion('Hello')], { configuration }));
    expect(failure).toMatchObject({ kind, attempts: 0 });
    expect(failure.message).toContain('"local"');
    expect(failure.remedy).not.toBe('');
  });

  test('an unknown provider name', async () => {
    const failure = failureIn(
      await ask([completion('Hello')], { request: { model: { provider: 'nobody', model: 'x' } } }),
    );
    expect(failure).toMatchObject({ kind: 'unknown_provider', attempts: 0 });
    expect(failure.message).toContain('"nobody"');
  });

  test('a local server needs no key', async () => {
    const run = await ask([completion('Hello')], { configuration: { apiKey: null } });
    expect(responseIn(run).text).toBe('Hello');
    expect(run.server.requests[0]?.headers.authorization).toBeUndefined();
  });
});

test.each(['error', 'insufficient_system_resource'])(
  'a response with the finish reason %s ended early',
  async (reason) => {
    for (const streamed of [false, true]) {
      const run = await ask([completion('Half of', reason), completion('Whole')], { streamed });
      expect(run.outcome).toMatchObject({ ok: true, reply: { text: 'Whole', attempts: 2, maybeBilled: { tries: 1 } } });
    }
  },
);

test('a response is cut off if the context of the model is full, as Mistral says it', async () => {
  for (const streamed of [false, true]) {
    const run = await ask([completion('Half of', 'model_length')], { streamed });
    expect(run.outcome).toMatchObject({ ok: true, reply: { text: 'Half of', finishReason: 'length' } });
  }
});
