import { setTimeout as sleep } from 'node:timers/promises';
import { startedSchema } from '#lib/api/experiments-schema.ts';
import { decidedSchema, runSchema } from '#lib/api/runs-schema.ts';
import { deletedSchema } from '#lib/http/fields.ts';
import { followLive } from '../bench/follow-live.ts';
import { createProvider } from '../create-provider.ts';
import { type Script, type ScriptedProvider, startScriptedProvider } from '../scripted-provider.ts';
import { startApp } from '../start-app.ts';
import { test as base, expect } from './api-test.ts';
import { type Api, openApi, SMALL } from './open-api.ts';
import { openStream, type StreamedEvent } from './open-stream.ts';

/** Streams drafts in twenty pieces and scores 0.5 each time, so that a run reaches its limit and takes a second or two. */
const SLOW: Script = ({ body, prompt }) => {
  if (prompt.includes('<criteria>'))
    return {
      text: JSON.stringify({
        criteria: [{ name: 'clarity', score: 0.5, reason: 'r', issues: [`i${Math.random()}`], suggestions: [] }],
        confidence: 0.5,
      }),
      delayMs: 30,
    };
  if (body.response_format !== undefined || prompt.includes('<scores>'))
    return { text: JSON.stringify({ summary: 's', issues: [], suggestions: ['more'] }), delayMs: 30 };
  return { text: `Draft ${'lorem ipsum '.repeat(20)}`, pieceDelayMs: 10, delayMs: 30 };
};

const test = base.extend<{ provider: ScriptedProvider; experimentId: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here.
  provider: async ({}, use) => {
    const provider = await startScriptedProvider(SLOW);
    await use(provider);
    await provider.stop();
  },
  experimentId: async ({ api, provider }, use) => use(await createSlow(api, provider)),
});

async function createSlow(
  api: Api,
  provider: ScriptedProvider,
  settings: Record<string, unknown> = {},
): Promise<string> {
  const name = `slow-${Date.now()}`;
  await createProvider(api, { name, baseUrl: provider.baseUrl });
  return api.createExperiment({
    ...SMALL,
    generator: { provider: name, model: 'scripted-1' },
    convergence: null,
    maxIterations: 3,
    ...settings,
  });
}

const stored = (events: StreamedEvent[]) => events.filter((event) => event.type !== 'text');
const numbers = (events: StreamedEvent[]) => stored(events).map((event) => event.id);
const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1);

test('200 clients that follow four runs each receive all events in order and once', async ({
  api,
  provider,
  experimentId,
}) => {
  // No model call completes before all clients are connected, so there is text left to stream on slow machines.
  let open = 0;
  const allAreThere = Promise.withResolvers<void>();
  provider.setScript(async (request) => {
    await allAreThere.promise;
    return SLOW(request);
  });
  const cases = Array.from({ length: 4 }, (_, at) => ({ input: `Case ${at}` }));
  const path = `/api/v1/experiments/${experimentId}/runs`;
  const { runIds } = await api.read(startedSchema, 'POST', path, { cases });
  const people = Array.from({ length: 200 }, (_, person) => runIds[person % runIds.length] ?? '');
  const countOpen = () => {
    open += 1;
    if (open === people.length) allAreThere.resolve();
  };
  const followed = await Promise.all(people.map((runId) => followLive(api.address, runId, countOpen)));
  for (const { runId, events, texts } of followed) {
    const { lastEvent } = await api.read(runSchema, 'GET', `/api/v1/runs/${runId}`);
    expect(events.map(({ number }) => number)).toEqual(upTo(lastEvent));
    // The number of pieces depends on timing: pieces that arrive close together are sent as one.
    expect(texts).toBeGreaterThan(0);
  }
  const { text } = await api.call('GET', '/metrics');
  expect(text).toMatch(/^hone_event_lag_seconds_count [1-9]\d{2,}$/m);
});

test('streams a run live from start to end', async ({ api, experimentId }) => {
  const runId = await api.startRun(experimentId);
  const stream = await openStream(api.address, runId);
  expect(stream.headers['content-type']).toContain('text/event-stream');
  const events = await stream.untilEnd();
  expect(numbers(events)).toEqual(upTo(stored(events).length));
  expect(stored(events)[0]).toMatchObject({ type: 'output_made', data: { version: 0 } });
  expect(events.at(-1)).toMatchObject({ type: 'stopped', data: { reason: 'repeated_issues' } });
  const run = await api.read(runSchema, 'GET', `/api/v1/runs/${runId}`);
  expect(stored(events)).toHaveLength(run.lastEvent);
});

test('live text arrives in order, without an id, before the event of its version', async ({ api, experimentId }) => {
  const runId = await api.startRun(experimentId);
  const events = await (await openStream(api.address, runId)).untilEnd();
  const text = events.filter((event) => event.type === 'text');
  expect(text.length).toBeGreaterThan(5);
  expect(text.every((event) => event.id === null)).toBe(true);
  const run = await api.read(runSchema, 'GET', `/api/v1/runs/${runId}`);
  const last = events.findLastIndex((event) => event.type === 'output_made');
  // The event of the critique before may arrive after the first pieces of the version.
  const pieces = events.slice(0, last).filter((event) => event.type === 'text');
  const of = (event: StreamedEvent | undefined, field: 'role' | 'text') => Reflect.get(Object(event?.data), field);
  const before = pieces.findLastIndex((event) => of(event, 'role') !== of(pieces.at(-1), 'role'));
  const written = pieces.slice(before + 1).map((event) => of(event, 'text'));
  expect(written.join('')).toBe(run.versions.at(-1)?.output);
});

test('Last-Event-ID resumes a broken stream without gaps or duplicates', async ({ api, experimentId }) => {
  const runId = await api.startRun(experimentId);
  const events: StreamedEvent[] = [];
  let connections = 0;
  while (stored(events).at(-1)?.type !== 'stopped') {
    const last = stored(events).at(-1)?.id ?? null;
    const stream = await openStream(api.address, runId, {
      lastEventId: last,
      by: connections % 2 === 0 ? 'header' : 'query',
    });
    events.push(...stored(await stream.take(1 + (connections % 3))));
    stream.cut();
    connections += 1;
    expect(connections).toBeLessThan(100);
  }
  expect(connections).toBeGreaterThan(3);
  expect(numbers(events)).toEqual(upTo(events.length));
  const whole = await (await openStream(api.address, runId)).untilEnd();
  expect(whole).toEqual(events);
});

test('the header takes precedence over the query, because a reconnecting browser sends both', async ({ api }) => {
  const runId = await api.startRun(await api.createExperiment());
  const { lastEvent } = await api.waitForRun(runId, ['finished']);
  const headers = { 'last-event-id': String(lastEvent - 1) };
  const { text } = await api.call('GET', `/api/v1/runs/${runId}/events?lastEventId=1`, undefined, { headers });
  expect(text.match(/^id: \d+$/gm)).toEqual([`id: ${lastEvent}`]);
});

test('an ended run sends stored events and closes; if none are left it returns 204 to prevent reconnects', async ({
  api,
}) => {
  const runId = await api.startRun(await api.createExperiment());
  const { lastEvent } = await api.waitForRun(runId, ['finished']);
  const events = await (await openStream(api.address, runId)).untilEnd();
  expect(numbers(events)).toEqual(upTo(lastEvent));
  expect((await api.call('GET', `/api/v1/runs/${runId}/events?lastEventId=${lastEvent}`)).status).toBe(204);
  expect((await api.call('HEAD', `/api/v1/runs/${runId}/events`)).status).toBe(200);
});

test('a waiting run keeps its stream open and sends the decision', async ({ api }) => {
  const runId = await api.startRun(await api.createExperiment({ callbacks: { pause: 'before_finish' } }));
  const { waitingFor } = await api.waitForRun(runId, ['waiting']);
  const stream = await openStream(api.address, runId);
  const rest = stream.untilEnd();
  const early = await Promise.race([rest.then(() => 'ended'), sleep(700, 'open')]);
  expect(early).toBe('open');
  await api.read(decidedSchema, 'POST', `/api/v1/runs/${runId}/decisions`, {
    decision: 'accept',
    pauseId: waitingFor?.pauseId,
  });
  const events = await rest;
  expect(numbers(events)).toEqual(upTo(events.length));
  expect(events.slice(-2).map((event) => event.type)).toEqual(['decided', 'stopped']);
});

test('deleting a run ends its stream', async ({ api, experimentId }) => {
  const runId = await api.startRun(experimentId);
  const stream = await openStream(api.address, runId);
  await stream.take(1);
  await api.read(deletedSchema, 'DELETE', `/api/v1/runs/${runId}`);
  const ended = await Promise.race([stream.untilEnd().then(() => 'ended'), sleep(30_000, 'open', { ref: false })]);
  expect(ended).toBe('ended');
});

test('open streams do not block shutdown', async () => {
  const app = await startApp();
  const api = openApi(app.address);
  const runId = await api.startRun(await api.createExperiment({ callbacks: { pause: 'always' } }));
  await api.waitForRun(runId, ['waiting']);
  const streams = await Promise.all(upTo(5).map(() => openStream(app.address, runId)));
  for (const stream of streams) await stream.take(1);
  const began = Date.now();
  const ends = Promise.all(streams.map((stream) => stream.untilEnd()));
  await app.stop();
  expect(Date.now() - began).toBeLessThan(5_000);
  await ends;
  expect(app.output()).not.toMatch(/error/i);
});
