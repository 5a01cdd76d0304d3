import { afterEach, describe, expect, test } from 'vitest';
import type { ModelRequest } from '#lib/core/model-request.ts';
import type { ProviderConfiguration } from '#lib/providers/provider-configuration.ts';
import { type Answer, completion, startScriptedServer, status } from '#lib/testing/scripted-server.test-support.ts';
import { createModelCaller } from '../call/create-model-caller.ts';
import { startCollector } from './collector.test-support.ts';
import { traced } from './spans.ts';
import { startTracing } from './start-tracing.ts';

const KEY = 'canary-0123456789-abcdef';
const closings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

async function server(answers: Answer[]): Promise<ProviderConfiguration> {
  const { baseUrl, close } = await startScriptedServer(answers);
  closings.push(close);
  const prices = { m: { inputPerMillionUsd: 1, outputPerMillionUsd: 2 } };
  return { name: 'house', kind: 'openai-compatible', baseUrl, apiKey: KEY, prices };
}

async function tracing(
  variables: Record<string, string | undefined>,
  { answer = 200, body = '' as string | Buffer, lastSendMs = 30_000 } = {},
) {
  const collector = await startCollector(answer, body);
  closings.push(collector.stop);
  const lines: string[] = [];
  const close = await startTracing(
    { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, ...variables },
    { warn: (message) => lines.push(message), lastSendMs },
  );
  closings.push(close);
  return { collector, lines, close };
}

const REQUEST: ModelRequest = {
  role: 'evaluate',
  ordinal: 1,
  model: { provider: 'house', model: 'm' },
  instructions: 'Judge.',
  prompt: `Is ${KEY} a key?`,
  temperature: 0.5,
  maxOutputTokens: 100,
  sampling: { topP: 0.9, seed: 7, stopSequences: ['END'], reasoningEffort: 'low' },
  output: null,
};

function ask(configuration: ProviderConfiguration, request = REQUEST) {
  const call = createModelCaller({
    addresses: { allowLoopback: true, allowedPrivateHosts: [] },
    resolveProvider: async () => configuration,
    maxAttempts: 1,
  });
  return call(request, { signal: new AbortController().signal, onText: null });
}

describe('with an exporter', () => {
  test('records a call as a child span by the conventions, without message content', async () => {
    const { collector, close } = await tracing({
      OTEL_SERVICE_NAME: 'lab',
      OTEL_RESOURCE_ATTRIBUTES: 'team=blue%20one',
    });
    const provider = await server([completion('Yes.')]);
    const inherited = { 'hone.run.id': 'r1' };
    const outer = () => ({ name: 'run', kind: 'internal' as const, attributes: {}, inherited });
    expect(
      await traced(
        outer,
        () => ask(provider),
        () => ({}),
      ),
    ).toMatchObject({ ok: true });
    await close();
    const [call, run] = collector.spans;
    expect(collector.spans.map(({ name }) => name)).toEqual(['chat m', 'run']);
    expect(call).toMatchObject({ service: 'lab', parent: run?.spanId, traceId: run?.traceId, error: null });
    expect(call?.attributes).toEqual({
      'openinference.span.kind': 'LLM',
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'house',
      'gen_ai.request.model': 'm',
      'gen_ai.request.temperature': 0.5,
      'gen_ai.request.max_tokens': 100,
      'gen_ai.request.top_p': 0.9,
      'gen_ai.request.seed': 7,
      'gen_ai.request.stop_sequences': ['END'],
      'hone.request.reasoning_effort': 'low',
      'gen_ai.output.type': 'text',
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(provider.baseUrl ?? '').port),
      'gen_ai.usage.input_tokens': 12,
      'gen_ai.usage.output_tokens': 5,
      'gen_ai.usage.cache_read.input_tokens': 0,
      'gen_ai.usage.reasoning.output_tokens': 0,
      'gen_ai.response.finish_reasons': ['stop'],
      'hone.call.role': 'evaluate',
      'hone.call.ordinal': 1,
      'hone.call.attempts': 1,
      'hone.call.cost_usd': 22e-6,
      'gen_ai.usage.cost': 22e-6,
      'llm.cost.total': 22e-6,
      'hone.run.id': 'r1',
    });
    expect(collector.requests[0]?.url).toBe('/v1/traces');
    expect(collector.requests[0]?.raw).toContain('blue one');
  });

  test.each([
    { name: 'Protobuf by default', variables: {}, contentType: 'application/x-protobuf' },
    {
      name: 'JSON on request',
      variables: { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' },
      contentType: 'application/json',
    },
    {
      name: 'the encoding of the traces',
      variables: { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf' },
      contentType: 'application/x-protobuf',
    },
  ])('sends $name', async ({ variables, contentType }) => {
    const { collector, close } = await tracing(variables);
    await ask(await server([completion('Yes.')]));
    await close();
    expect(collector.requests).toMatchObject([{ url: '/v1/traces', headers: { 'content-type': contentType } }]);
    expect(collector.spans.map(({ name }) => name)).toEqual(['chat m']);
  });

  test('sends the length of each body, which some receivers need', async () => {
    const { collector, close } = await tracing({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' });
    const provider = await server([completion('Yes.')]);
    await ask(provider);
    await expect.poll(() => collector.requests.length, { timeout: 30_000 }).toBe(1);
    await ask(provider);
    await ask(provider);
    await close();
    expect(collector.requests.map(({ headers }) => headers['content-length'])).toEqual(
      collector.requests.map(({ raw }) => String(Buffer.byteLength(raw))),
    );
    expect(collector.requests[0]?.headers['transfer-encoding']).toBeUndefined();
  });

  test.each([
    {
      name: 'JSON',
      protocol: 'http/json',
      body: '{"partialSuccess":{"rejectedSpans":"1","errorMessage":"over quota"}}',
    },
    {
      name: 'Protobuf',
      protocol: 'http/protobuf',
      body: Buffer.concat([Buffer.from([10, 14, 8, 1, 18, 10]), Buffer.from('over quota')]),
    },
  ])('reports spans that a collector rejects in $name', async ({ protocol, body }) => {
    const { lines, close } = await tracing({ OTEL_EXPORTER_OTLP_PROTOCOL: protocol }, { body });
    await ask(await server([completion('Yes.')]));
    await close();
    expect(lines).toEqual([expect.stringContaining('(1 spans rejected: over quota)')]);
  });

  test.each([
    [401, 'OTEL_EXPORTER_OTLP_HEADERS'],
    [404, 'Check the path'],
  ])('reports the status %i of a collector, and what to check', async (answer, remedy) => {
    const { lines, close } = await tracing({}, { answer });
    await ask(await server([completion('Yes.')]));
    await close();
    expect(lines).toEqual([expect.stringMatching(new RegExp(`\\(${answer} .*\\)\\. .*${remedy}`))]);
  });

  test('ignores the warning of a collector that rejects no span', async () => {
    const body = '{"partialSuccess":{"rejectedSpans":"0","errorMessage":"a field is deprecated"}}';
    const { lines, close } = await tracing({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }, { body });
    await ask(await server([completion('Yes.')]));
    await close();
    expect(lines).toEqual([]);
  });

  test('records the error kind of a failed call and removes the key from the status message', async () => {
    const { collector, close } = await tracing({});
    const outcome = await ask(await server([status(401, `No such key: ${KEY}`)]));
    expect(outcome).toMatchObject({ ok: false, failure: { kind: 'unauthorized' } });
    await close();
    expect(collector.spans[0]).toMatchObject({
      service: 'hone',
      attributes: { 'error.type': 'unauthorized', 'http.response.status_code': 401 },
      error: expect.stringContaining('[key]'),
    });
    expect(JSON.stringify(collector.requests)).not.toContain(KEY);
  });

  test('records message content only if enabled, without keys', async () => {
    const { collector, close } = await tracing({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' });
    const tools = [{ name: 'search', description: 'Looks up.', parameters: { type: 'object' } }];
    const messages = [{ role: 'user' as const, text: 'Go on.' }];
    const outcome = await ask(await server([completion(`It is ${KEY}.`)]), {
      ...REQUEST,
      role: 'turn',
      conversation: { messages, tools },
    });
    expect(outcome).toMatchObject({ ok: true, reply: { text: 'It is [key].' } });
    await close();
    const json = (name: string): unknown => JSON.parse(String(collector.spans[0]?.attributes[name]));
    expect(json('gen_ai.system_instructions')).toEqual([{ type: 'text', content: 'Judge.' }]);
    expect(json('gen_ai.input.messages')).toEqual([
      { role: 'user', parts: [{ type: 'text', content: 'Is [key] a key?' }] },
      { role: 'user', parts: [{ type: 'text', content: 'Go on.' }] },
    ]);
    expect(json('gen_ai.output.messages')).toMatchObject([
      { role: 'assistant', parts: [{ type: 'text', content: 'It is [key].' }], finish_reason: 'stop' },
    ]);
    expect(json('gen_ai.tool.definitions')).toMatchObject([{ name: 'search' }]);
    expect(json('input.value')).toEqual({
      messages: [
        { role: 'system', content: 'Judge.' },
        { role: 'user', content: 'Is [key] a key?' },
        { role: 'user', content: 'Go on.' },
      ],
    });
    expect(collector.spans[0]?.attributes).toMatchObject({
      'input.mime_type': 'application/json',
      'output.value': 'It is [key].',
      'output.mime_type': 'text/plain',
    });
    expect(JSON.stringify(collector.requests)).not.toContain(KEY);
  });

  test('records the tools of a prompt', async () => {
    const { collector, close } = await tracing({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' });
    const tools = [{ name: 'find', description: 'Finds.', parameters: { type: 'object' } }];
    expect(await ask(await server([completion('It is.')]), { ...REQUEST, tools })).toMatchObject({ ok: true });
    await close();
    expect(JSON.parse(String(collector.spans[0]?.attributes['gen_ai.tool.definitions']))).toEqual([
      { type: 'function', name: 'find', description: 'Finds.' },
    ]);
  });

  test('records no values of custom headers in message content', async () => {
    const { collector, close } = await tracing({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' });
    const value = 'header-canary-0123456789';
    const provider = { ...(await server([completion(`It is ${value}.`)])), headers: { 'X-Key': value } };
    expect(await ask(provider, { ...REQUEST, prompt: `Is ${value} a key?` })).toMatchObject({ ok: true });
    await close();
    expect(String(collector.spans[0]?.attributes['gen_ai.input.messages'])).toContain('Is [key] a key?');
    expect(JSON.stringify(collector.requests)).not.toContain(value);
  });

  test('records only the error name if the work throws', async () => {
    const { collector, close } = await tracing({});
    const broken = traced(
      () => ({ name: 'run', kind: 'internal', attributes: {} }),
      () => Promise.reject(new TypeError(`not ${KEY}`)),
      () => ({}),
    );
    await expect(broken).rejects.toThrow(TypeError);
    await close();
    expect(collector.spans).toMatchObject([{ attributes: { 'error.type': 'TypeError' }, error: '' }]);
  });

  test.each([
    { name: 'rejects spans', variables: {}, answer: 400 },
    { name: 'is unreachable', variables: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }, answer: 200 },
  ])('an exporter that $name affects no call and is reported once', async ({ variables, answer }) => {
    const { lines, close } = await tracing(variables, { answer, lastSendMs: 300 });
    const provider = await server([completion('Yes.')]);
    expect(await ask(provider)).toMatchObject({ ok: true });
    expect(await ask(provider)).toMatchObject({ ok: true });
    await close();
    expect(lines).toEqual([expect.stringMatching(/^tracing: spans could not be sent to http:\/\/127\.0\.0\.1:\d+ /)]);
  });
});

test.each([
  { name: 'no exporter is configured', variables: {}, messages: 0 },
  {
    name: 'it is turned off',
    variables: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_SDK_DISABLED: 'true' },
    messages: 0,
  },
  {
    name: 'its protocol is gRPC',
    variables: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    messages: 1,
  },
  { name: 'its URL is invalid', variables: { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, messages: 1 },
])('traces nothing if $name', async ({ variables, messages: count }) => {
  const lines: string[] = [];
  const close = await startTracing(variables, { warn: (message) => lines.push(message) });
  expect(globalThis.honeTracer).toBeUndefined();
  expect(lines).toHaveLength(count);
  expect(await ask(await server([completion('Yes.')]))).toMatchObject({ ok: true });
  await close();
});
