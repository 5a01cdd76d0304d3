import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import {
  localServersSchema,
  pricesSchema,
  providerSchema,
  providersSchema,
  storedProviderTestSchema,
} from '#lib/api/providers.ts';
import { deletedSchema } from '#lib/http/fields.ts';
import { startScriptedProvider } from '../scripted-provider.ts';
import { expect, test } from './api-test.ts';

const CANARY = 'sk-CANARY-7f3a9b2c4d5e6f708192';

test('an API key is accepted and never returned', async ({ api, app }) => {
  const provider = await startScriptedProvider(() => ({
    status: 401,
    body: { error: { message: `Incorrect API key provided: ${CANARY}` } },
  }));
  const answers: string[] = [];
  const note = async (method: string, address: string, body?: unknown, options?: { type?: string }) => {
    const { text, status } = await api.call(method, address, body, options);
    answers.push(text);
    return status;
  };
  expect(
    await note('POST', '/api/v1/providers', {
      name: 'canary',
      kind: 'openai-compatible',
      baseUrl: provider.baseUrl,
      apiKey: CANARY,
    }),
  ).toBe(201);
  expect(
    await note('POST', '/api/v1/providers', {
      name: 'canary',
      kind: 'openai-compatible',
      baseUrl: provider.baseUrl,
      apiKey: CANARY,
    }),
  ).toBe(409);
  expect(await note('POST', '/api/v1/providers', { name: 'other', kind: 'nothing', apiKey: CANARY })).toBe(400);
  expect(
    await note('POST', '/api/v1/providers', { name: 'other', kind: 'openai', apiKey: CANARY, colour: CANARY }),
  ).toBe(400);
  expect(await note('POST', '/api/v1/providers', `{"apiKey": "${CANARY}",}`)).toBe(400);
  expect(await note('POST', '/api/v1/providers', `{"apiKey": "${CANARY}"}`, { type: 'text/plain' })).toBe(415);
  expect(await note('PATCH', '/api/v1/providers/canary', { maxConcurrency: 2 })).toBe(200);
  await note('POST', '/api/v1/providers/canary/test');
  await note('GET', '/api/v1/providers');
  await note('GET', '/models');

  const experimentId = await api.createExperiment({ generator: { provider: 'canary', model: 'scripted-1' } });
  const runId = await api.startRun(experimentId);
  await api.waitForRun(runId, ['failed']);
  for (const address of [
    `/api/v1/runs/${runId}`,
    `/api/v1/runs/${runId}/events`,
    `/api/v1/experiments/${experimentId}`,
    `/runs/${runId}`,
  ])
    await note('GET', address);
  expect(provider.calls.at(-1)?.headers.authorization).toBe(`Bearer ${CANARY}`);
  await provider.stop();

  for (const text of answers) expect(text).not.toContain(CANARY);
  expect(app.output()).not.toContain(CANARY);
  for (const file of filesIn(app.dataFolder))
    expect({ file, holds: readIfPresent(file).includes(CANARY) }).toEqual({ file, holds: false });
  const [stored] = (await api.read(providersSchema, 'GET', '/api/v1/providers')).items.filter(
    (item) => item.name === 'canary',
  );
  expect(stored).toMatchObject({
    hasKey: true,
    keyLastFour: CANARY.slice(-4),
    maxConcurrency: 2,
    source: 'stored',
    usedByExperiments: 1,
  });
  expect(stored?.use.named).toMatchObject([{ kind: 'experiment', id: experimentId, roles: ['drafts'] }]);
  expect((await api.call('DELETE', '/api/v1/providers/canary')).status).toBe(409);
  expect((await api.call('DELETE', '/api/v1/providers/canary?evenInUse=true')).status).toBe(200);
});

test('changing the base URL deletes the key, so it is not sent to another server', async ({ api }) => {
  const provider = { name: 'moved', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1', apiKey: CANARY };
  await api.read(providerSchema, 'POST', '/api/v1/providers', provider);
  const moved = await api.read(providerSchema, 'PATCH', '/api/v1/providers/moved', {
    baseUrl: 'http://127.0.0.1:10/v1',
  });
  expect(moved).toMatchObject({ hasKey: false, keyLastFour: null });
  expect(await api.read(storedProviderTestSchema, 'POST', '/api/v1/providers/moved/test')).toMatchObject({ ok: false });
  expect(await api.read(deletedSchema, 'DELETE', '/api/v1/providers/moved')).toEqual({ deleted: { providers: 1 } });
  expect((await api.call('PATCH', '/api/v1/providers/moved', {})).status).toBe(404);
});

test('the practice model is built in, passes its test, and cannot be replaced or deleted', async ({ api }) => {
  const [first] = (await api.read(providersSchema, 'GET', '/api/v1/providers')).items;
  expect(first).toMatchObject({ name: 'practice', source: 'built_in', hasKey: false });
  expect(await api.read(storedProviderTestSchema, 'POST', '/api/v1/providers/practice/test')).toMatchObject({
    ok: true,
  });
  expect(
    (await api.call('POST', '/api/v1/providers', { name: 'practice', kind: 'openai', apiKey: CANARY })).status,
  ).toBe(400);
  expect((await api.call('DELETE', '/api/v1/providers/practice')).status).toBe(404);
});

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}

/** Returns the bytes of a file, or none if PostgreSQL has deleted it since it was listed. */
function readIfPresent(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

test('lists public prices; custom prices take precedence', async ({ api }) => {
  await api.read(providerSchema, 'POST', '/api/v1/providers', { name: 'priced', kind: 'openai', apiKey: CANARY });
  const own = { inputPerMillionUsd: 1, outputPerMillionUsd: 2 };
  const change = { prices: [{ provider: 'priced', model: 'gpt-4o', price: own }] };
  const { items } = await api.read(pricesSchema, 'PATCH', '/api/v1/prices', change);
  expect(items.find(({ provider }) => provider === 'priced')).toMatchObject({ own, list: { from: 'OpenAI' } });
  expect(items).toEqual((await api.read(pricesSchema, 'GET', '/api/v1/prices')).items);
});

test('scans for local servers on their usual ports', async ({ api }) => {
  const { items } = await api.read(localServersSchema, 'POST', '/api/v1/local-servers');
  expect(items.map(({ baseUrl }) => new URL(baseUrl).hostname)).toEqual(items.map(() => '127.0.0.1'));
  expect(items.map(({ name }) => name)).toEqual(expect.arrayContaining(['ollama', 'lm-studio', 'vllm']));
});
