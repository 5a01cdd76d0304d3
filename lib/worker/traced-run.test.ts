import { afterEach, expect, test } from 'vitest';
import { startCollector } from '#lib/providers/tracing/collector.test-support.ts';
import { startTracing } from '#lib/providers/tracing/start-tracing.ts';
import { loadRun } from '#lib/runs/load-run.ts';
import { PRACTICE_WRITING, queuedRun, testContext, testWorkerContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from './perform-run.ts';
import { tracedUse } from './traced-run.ts';

const db = useTestDatabase();
const closings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

async function startTracedCollector(variables: Record<string, string>) {
  const collector = await startCollector();
  closings.push(collector.stop);
  const close = await startTracing(
    { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, ...variables },
    { warn: () => undefined, lastSendMs: 30_000 },
  );
  closings.push(close);
  return { collector, close };
}

/** Performs a run and returns the attributes of its span, and its final output. */
async function tracedRunOf(variables: Record<string, string>, input: string) {
  const { collector, close } = await startTracedCollector(variables);
  const context = testContext(db.database());
  const runId = await queuedRun(context, PRACTICE_WRITING, { input });
  await performRun(testWorkerContext(context), runId);
  await close();
  const stored = await loadRun(db.database(), runId);
  const span = collector.spans.find(({ name }) => name === 'run');
  return { attributes: span?.attributes ?? {}, output: stored?.history.versions.at(-1)?.output ?? '' };
}

const CONTENT = { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' };

test('the span of a run has its input and final output, by OpenInference and by OpenTelemetry', async () => {
  const { attributes, output } = await tracedRunOf(CONTENT, 'Explain our rate limits to a new user');
  expect(output).not.toBe('');
  expect(attributes).toMatchObject({
    'openinference.span.kind': 'CHAIN',
    'input.value': 'Explain our rate limits to a new user',
    'input.mime_type': 'text/plain',
    'output.value': output,
    'output.mime_type': 'text/plain',
    'hone.run.stop_reason': 'quality_met',
    'hone.run.success': true,
  });
  const parts = (side: string): unknown => JSON.parse(String(attributes[`gen_ai.${side}.messages`]))[0].parts;
  expect(parts('input')).toEqual([{ type: 'text', content: 'Explain our rate limits to a new user' }]);
  expect(parts('output')).toEqual([{ type: 'text', content: output }]);
});

test('the span of a run has no texts unless content is captured', async () => {
  const { attributes } = await tracedRunOf({}, 'Explain our rate limits to a new user');
  expect(attributes).toMatchObject({ 'hone.run.stop_reason': 'quality_met' });
  expect(Object.keys(attributes).filter((name) => /value|messages/.test(name))).toEqual([]);
});

test('the span of a run has the first 20,000 characters of its input, like the spans of its calls', async () => {
  const { attributes } = await tracedRunOf(CONTENT, 'Explain our limits. '.repeat(2_000));
  expect(attributes['input.value']).toHaveLength(20_000);
  expect(String(attributes['gen_ai.input.messages']).length).toBeLessThan(20_100);
});

test('the span of a run contains no keys', async () => {
  const key = 'sk-proj-0123456789abcdefghijABCDEFGHIJ0123456789';
  const { attributes } = await tracedRunOf(CONTENT, `Explain ${key} to a new user`);
  expect(attributes['input.value']).toBe('Explain [key] to a new user');
  expect(JSON.stringify(attributes)).not.toContain(key);
});

test.each([
  ['with its texts if content is captured', CONTENT, '{"query":"[key]"}', 'It is [key] today'],
  ['without its texts by default', {}, undefined, undefined],
])('the span of a tool call is sent %s', async (_name, variables, input, output) => {
  const key = 'sk-proj-0123456789abcdefghijABCDEFGHIJ0123456789';
  const { collector, close } = await startTracedCollector(variables);
  const use = tracedUse(async () => ({ status: 'ok', text: `It is ${key} today`, durationMs: 1 }));
  const call = { id: 'c1', tool: 'search', arguments: `{"query":"${key}"}` };
  await use(call, new AbortController().signal);
  await close();
  const attributes = collector.spans[0]?.attributes ?? {};
  expect(attributes).toMatchObject({ 'openinference.span.kind': 'TOOL', 'gen_ai.tool.name': 'search' });
  expect([attributes['input.value'], attributes['output.value']]).toEqual([input, output]);
  expect([attributes['gen_ai.tool.call.arguments'], attributes['gen_ai.tool.call.result']]).toEqual([input, output]);
});

test('the span of a tool call has the first 20,000 characters of its arguments and its result', async () => {
  const { collector, close } = await startTracedCollector(CONTENT);
  const text = 'a page of a long report '.repeat(2_000);
  const use = tracedUse(async () => ({ status: 'ok', text, durationMs: 1 }));
  await use({ id: 'c1', tool: 'save', arguments: JSON.stringify({ text }) }, new AbortController().signal);
  await close();
  const attributes = collector.spans[0]?.attributes ?? {};
  for (const name of ['gen_ai.tool.call.arguments', 'gen_ai.tool.call.result', 'input.value', 'output.value'])
    expect([name, String(attributes[name]).length]).toEqual([name, 20_000]);
});
