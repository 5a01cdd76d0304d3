import { afterEach, describe, expect, test } from 'vitest';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { testProvider } from '#lib/model-calls/test-provider.ts';
import { createPrompt } from '#lib/prompts/prompt-library.ts';
import { baseUrlOf } from '#lib/providers/provider-configuration.ts';
import {
  type Answer,
  completion,
  raw,
  type ScriptedServer,
  startScriptedServer,
  status,
} from '#lib/testing/scripted-server.test-support.ts';
import { PRACTICE_WRITING, TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { deleteProvider, saveProvider, updateProvider } from './change-providers.ts';
import { detectLocalServers } from './detect-local-servers.ts';
import { listProviders } from './list-providers.ts';
import { listPrices, updatePrices } from './prices.ts';
import { providerResolver } from './resolve-provider.ts';
import { findProvider } from './stored-provider.ts';

const db = useTestDatabase();
const KEY = 'sk-canary-0123456789abcdefWXYZ';
const servers: ScriptedServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serverOf(...answers: Answer[]): Promise<ScriptedServer> {
  const server = await startScriptedServer(answers);
  servers.push(server);
  return server;
}

async function added(name: string, baseUrl: string, apiKey: string | null = KEY) {
  const shop = testContext(db.database());
  unwrap(await saveProvider(shop, TESTER, { name, kind: 'openai-compatible', baseUrl, apiKey }));
  return shop;
}

const viewOf = async (shop: ReturnType<typeof testContext>, name: string) =>
  (await listProviders(shop)).find((provider) => provider.name === name);

describe('options of a provider kind', () => {
  const azure = { name: 'azure', kind: 'azure', apiKey: KEY, options: { resourceName: 'research' } };

  test.each<[string, Record<string, unknown>, string, string]>([
    [
      'neither a resource nor a base URL',
      { kind: 'azure' },
      'baseUrl',
      'baseUrl is needed for an Azure OpenAI provider, for example http://127.0.0.1:11434/v1',
    ],
    [
      'a resource that would change the host',
      { kind: 'azure', options: { resourceName: 'x@evil.example/' } },
      'options.resourceName',
      'options.resourceName must be the name of an Azure resource: letters, digits and hyphens',
    ],
    [
      'no region',
      { kind: 'amazon-bedrock' },
      'options.region',
      'options.region is needed for an Amazon Bedrock provider: an AWS region, such as us-east-1',
    ],
    [
      'an option of another kind',
      { kind: 'anthropic', options: { region: 'us-east-1' } },
      'options.region',
      'options.region is no entry of an Anthropic provider',
    ],
    [
      'a service account without a project',
      { kind: 'google-vertex', apiKey: JSON.stringify({ client_email: 'a@b', private_key: 'PRIVATE KEY' }) },
      'options.project',
      'options.project is needed with the key of a service account',
    ],
    [
      'the reserved name of imported runs',
      { kind: 'openai', name: 'imported' },
      'name',
      'name must not be "imported": imported runs have that name',
    ],
    [
      'a connection header',
      { kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:9', headers: { Host: 'x' } },
      'headers.Host',
      'headers.Host must not be set, because the protocol sets it',
    ],
  ])('rejects %s', async (_name, provider, field, message) => {
    const shop = testContext(db.database());
    const refused = await saveProvider(shop, TESTER, { name: 'refused', apiKey: KEY, ...provider });
    expect(refused).toMatchObject({
      ok: false,
      problem: { code: 'invalid', field, message: expect.stringContaining(message) },
    });
  });

  test('changing the resource deletes the key, changing other options does not', async () => {
    const shop = testContext(db.database());
    unwrap(await saveProvider(shop, TESTER, azure));
    const own = unwrap(
      await updateProvider(shop, TESTER, 'azure', { options: { resourceName: 'research', api: 'responses' } }),
    );
    expect(own).toMatchObject({ hasKey: true, options: { resourceName: 'research', api: 'responses' } });
    const moved = unwrap(await updateProvider(shop, TESTER, 'azure', { options: { resourceName: 'other' } }));
    expect(moved).toMatchObject({ hasKey: false, options: { resourceName: 'other' } });
    const empty = await updateProvider(shop, TESTER, 'azure', { options: {} });
    expect(empty).toMatchObject({ ok: false, problem: { field: 'baseUrl' } });
  });

  test('a provider without a model list is tested with a given model, which is stored', async () => {
    const server = await serverOf((response, body, request) =>
      (request.method === 'GET' ? status(404, 'no list') : completion('{"word":"ready"}'))(response, body, request),
    );
    const shop = testContext(db.database());
    const baseUrl = server.baseUrl.replace(/\/v1$/, '');
    unwrap(await saveProvider(shop, TESTER, { ...azure, name: 'azure-tested', options: {}, baseUrl }));
    expect(unwrap(await testProvider(shop, TESTER, 'azure-tested'))).toMatchObject({
      ok: true,
      message: 'The list of models is not available with this key. Enter a deployment to test it.',
      models: [],
    });
    expect(server.requests).toHaveLength(1);
    const tested = unwrap(await testProvider(shop, TESTER, 'azure-tested', { model: 'my-deployment' }));
    expect(tested).toMatchObject({ ok: true, models: ['my-deployment'] });
    expect(unwrap(await testProvider(shop, TESTER, 'azure-tested'))).toMatchObject({ models: ['my-deployment'] });
  });
});

describe('custom headers', () => {
  const SECRET = 'header-canary-0123456789';

  test('are sealed, shown by their last four characters, and deleted when the URL changes', async () => {
    const server = await serverOf(raw('{"data":[{"id":"a"}]}'));
    const shop = testContext(db.database());
    const provider = { name: 'gateway', kind: 'openai-compatible', baseUrl: server.baseUrl };
    const view = unwrap(await saveProvider(shop, TESTER, { ...provider, headers: { 'X-Key': SECRET, 'X-Team': 'a' } }));
    expect(view.headers).toEqual([
      { name: 'X-Key', lastFour: '6789' },
      { name: 'X-Team', lastFour: null },
    ]);
    const { rows } = await db.database().pool.query("SELECT * FROM providers WHERE name = 'gateway'");
    const audit = await db.database().pool.query('SELECT * FROM audit_entries');
    expect(JSON.stringify([rows, audit.rows, await listProviders(shop)])).not.toContain(SECRET);
    expect((await providerResolver(shop)('gateway'))?.headers).toEqual({ 'X-Key': SECRET, 'X-Team': 'a' });

    unwrap(await testProvider(shop, TESTER, 'gateway'));
    expect(server.requests.at(-1)?.headers).toMatchObject({ 'x-key': SECRET, 'x-team': 'a' });

    unwrap(await updateProvider(shop, TESTER, 'gateway', { maxConcurrency: 3 }));
    expect((await viewOf(shop, 'gateway'))?.headers).toHaveLength(2);
    const moved = unwrap(await updateProvider(shop, TESTER, 'gateway', { baseUrl: 'http://127.0.0.1:9/v1' }));
    expect(moved.headers).toEqual([]);
    expect((await providerResolver(shop)('gateway'))?.headers).toEqual({});
  });
});

describe('a change by someone who saw another base URL', () => {
  const [SEEN, MOVED] = ['http://127.0.0.1:9/v1', 'http://127.0.0.1:10/v1'];

  test.each([
    ['a key', { apiKey: `${KEY}-new` }],
    ['a header', { headers: { 'X-Key': KEY } }],
    ['another URL', { baseUrl: 'http://127.0.0.1:11/v1' }],
  ])('is refused with the new URL, and stores no %s', async (field, change) => {
    const name = `moved-${field.replace(' ', '-').toLowerCase()}`;
    const shop = await added(name, SEEN);
    unwrap(await updateProvider(shop, TESTER, name, { baseUrl: MOVED, apiKey: KEY, seenBaseUrl: SEEN }));
    const before = await findProvider(shop.database, name);
    expect(await updateProvider(shop, TESTER, name, { ...change, seenBaseUrl: SEEN })).toMatchObject({
      ok: false,
      problem: { code: 'conflict', field: 'baseUrl', message: expect.stringContaining(MOVED) },
    });
    expect(await findProvider(shop.database, name)).toEqual(before);
    expect((await updateProvider(shop, TESTER, name, { ...change, seenBaseUrl: MOVED })).ok).toBe(true);
  });

  test('compares the URL that follows from the options', async () => {
    const shop = testContext(db.database());
    const azure = { name: 'azure-moved', kind: 'azure', apiKey: KEY, options: { resourceName: 'one' } };
    unwrap(await saveProvider(shop, TESTER, azure));
    const seenBaseUrl = baseUrlOf({ kind: 'azure', baseUrl: null, options: { resourceName: 'one' } });
    unwrap(await updateProvider(shop, TESTER, azure.name, { options: { resourceName: 'two' }, apiKey: KEY }));
    expect(await updateProvider(shop, TESTER, azure.name, { apiKey: KEY, seenBaseUrl })).toMatchObject({
      problem: { code: 'conflict', field: 'baseUrl' },
    });
  });
});

test('a change by someone who saw other options is refused', async () => {
  const shop = testContext(db.database());
  const seenOptions = { resourceName: 'one' };
  unwrap(await saveProvider(shop, TESTER, { name: 'azure-seen', kind: 'azure', options: seenOptions }));
  const theirs = { ...seenOptions, api: 'responses' };
  unwrap(await updateProvider(shop, TESTER, 'azure-seen', { options: theirs, seenOptions }));
  const mine = { options: { ...seenOptions, apiVersion: 'preview' }, seenOptions };
  expect(await updateProvider(shop, TESTER, 'azure-seen', mine)).toMatchObject({
    problem: { code: 'conflict', field: 'options' },
  });
  expect((await findProvider(shop.database, 'azure-seen'))?.options).toEqual(theirs);
  const again = { options: { ...theirs, apiVersion: 'preview' }, seenOptions: theirs };
  expect(unwrap(await updateProvider(shop, TESTER, 'azure-seen', again)).options).toEqual(again.options);
});

const SAME = { baseUrl: 'http://127.0.0.1:9/v1', prices: {}, options: {}, headers: {}, forgetRefused: [] };

test.each([
  ['no fields', {}],
  ['equal values', { ...SAME, maxConcurrency: null, timeoutSeconds: null }],
  ['no key for a provider without one', { apiKey: null }],
])('a save with %s writes nothing and no audit entry', async (_name, change) => {
  const shop = testContext(db.database());
  await deleteProvider(shop, TESTER, 'unchanged', { evenInUse: true });
  await added('unchanged', 'http://127.0.0.1:9/v1', 'apiKey' in change ? null : KEY);
  const { prisma } = db.database();
  const audited = () => prisma.auditEntry.count();
  const [before, entries] = [await findProvider(shop.database, 'unchanged'), await audited()];
  expect(unwrap(await updateProvider(shop, TESTER, 'unchanged', change))).toMatchObject({ name: 'unchanged' });
  expect(await findProvider(shop.database, 'unchanged')).toEqual(before);
  expect(await audited()).toBe(entries);
});

describe('a connection test', () => {
  test('stores its models, keeps them after a failed test, and deletes them when the URL changes', async () => {
    const server = await serverOf(raw('{"data":[{"id":"a"},{"id":"b"}]}'), status(401, `no ${KEY}`));
    const shop = await added('tested', server.baseUrl);
    expect((await viewOf(shop, 'tested'))?.test).toBeNull();
    const first = unwrap(await testProvider(shop, TESTER, 'tested'));
    expect(first).toMatchObject({ ok: true, models: ['a', 'b'], remedy: '', call: null });
    expect((await viewOf(shop, 'tested'))?.test).toEqual(first);
    const second = unwrap(await testProvider(shop, TESTER, 'tested'));
    expect(second).toMatchObject({
      ok: false,
      failed: 'unauthorized',
      models: ['a', 'b'],
      remedy: expect.stringContaining('enter it, then'),
    });
    expect((await viewOf(shop, 'tested'))?.test).toEqual(second);
    expect(JSON.stringify(second)).not.toContain(KEY);
    unwrap(await updateProvider(shop, TESTER, 'tested', { baseUrl: 'http://127.0.0.1:9/v1' }));
    expect(await viewOf(shop, 'tested')).toMatchObject({ test: null, hasKey: false });
  });

  test('is deleted when the key changes, not when a limit changes', async () => {
    const server = await serverOf(raw('{"data":[]}'));
    const shop = await added('rekeyed', server.baseUrl);
    unwrap(await testProvider(shop, TESTER, 'rekeyed'));
    unwrap(await updateProvider(shop, TESTER, 'rekeyed', { maxConcurrency: 2 }));
    expect((await viewOf(shop, 'rekeyed'))?.test).not.toBeNull();
    unwrap(await updateProvider(shop, TESTER, 'rekeyed', { apiKey: `${KEY}2` }));
    expect((await viewOf(shop, 'rekeyed'))?.test).toBeNull();
  });

  test('with a model makes real calls and records their cost', async () => {
    const server = await serverOf(raw('{"data":[{"id":"m"}]}'), completion('{"word":"ready"}'), completion('42'));
    const shop = await added('asked', server.baseUrl);
    const test = unwrap(await testProvider(shop, TESTER, 'asked', { model: 'm' }));
    expect(test).toMatchObject({ ok: true, models: ['m'], call: { model: 'm', json: 'prompt', tools: 'none' } });
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/v1/models',
      '/v1/chat/completions',
      '/v1/chat/completions',
    ]);
    const { rows } = await db
      .database()
      .pool.query(
        `SELECT sum(calls)::int AS calls, sum(input_tokens)::int AS input FROM other_spend WHERE provider = 'asked' AND purpose = 'connection_test'`,
      );
    expect(rows).toEqual([{ calls: 2, input: 24 }]);
  });

  test('of an environment key needs no row; setting a limit creates one without the key', async () => {
    const shop = { ...testContext(db.database()), environmentKeys: { google: KEY } };
    const broken = { ...shop, environmentKeys: { google: '  ' } };
    unwrap(await testProvider(broken, TESTER, 'google'));
    expect(await viewOf(shop, 'google')).toMatchObject({ source: 'environment', test: { ok: false } });
    expect(await findProvider(shop.database, 'google')).toBeNull();
    unwrap(await updateProvider(shop, TESTER, 'google', { maxConcurrency: 3 }));
    expect(await viewOf(shop, 'google')).toMatchObject({ source: 'stored', maxConcurrency: 3, hasKey: true });
    expect((await findProvider(shop.database, 'google'))?.sealedKey).toBeNull();
    expect((await providerResolver(shop)('google'))?.apiKey).toBe(KEY);
    unwrap(await updateProvider(shop, TESTER, 'google', { baseUrl: 'http://127.0.0.1:9/v1' }));
    expect(await viewOf(shop, 'google')).toMatchObject({ hasKey: false });
    expect((await providerResolver(shop)('google'))?.apiKey).toBeNull();
  });

  test('a refused change of an environment key and of prices creates no row', async () => {
    const shop = { ...testContext(db.database()), environmentKeys: { openai: KEY } };
    const refused = { maxConcurrency: 3, seenBaseUrl: 'http://127.0.0.1:9/v1' };
    expect(await updateProvider(shop, TESTER, 'openai', refused)).toMatchObject({ problem: { code: 'conflict' } });
    const price = { inputPerMillionUsd: 1, outputPerMillionUsd: 2 };
    const prices = ['openai', 'nobody'].map((provider) => ({ provider, model: 'm', price }));
    expect(await updatePrices(shop, TESTER, { prices })).toMatchObject({ problem: { code: 'not_found' } });
    expect(unwrap(await updateProvider(shop, TESTER, 'openai', {})).source).toBe('environment');
    expect(await findProvider(shop.database, 'openai')).toBeNull();
    unwrap(await updatePrices(shop, TESTER, { prices: prices.slice(0, 1) }));
    expect(await viewOf(shop, 'openai')).toMatchObject({ source: 'stored', prices: { m: price } });
  });

  test('of an unknown provider returns not_found; the practice model is always ready', async () => {
    const shop = testContext(db.database());
    expect(await testProvider(shop, TESTER, 'nobody')).toMatchObject({ ok: false, problem: { code: 'not_found' } });
    const ready = unwrap(await testProvider(shop, TESTER, 'practice', { model: 'practice-1' }));
    expect(ready).toMatchObject({ ok: true, models: ['practice-1'] });
  });
});

describe('a provider whose URL another owner changes at the same time', () => {
  test.each([
    ['key', { apiKey: `${KEY}2` }],
    ['header', { headers: { 'X-Key': KEY } }],
    ['limit', { maxConcurrency: 2 }],
  ])('stores no new %s, and reports the conflict', async (field, change) => {
    const name = `raced-${field}`;
    const shop = await added(name, 'http://127.0.0.1:9/v1');
    const other = await db.database().pool.connect();
    await other.query('BEGIN');
    await other.query(
      "UPDATE providers SET base_url = 'http://127.0.0.1:10/v1', sealed_key = NULL, key_last_four = NULL WHERE name = $1",
      [name],
    );
    const updated = updateProvider(shop, TESTER, name, change);
    const waiting = 'SELECT count(*)::int AS count FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))';
    const { rows } = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await expect
      .poll(async () => (await db.database().pool.query(waiting, [rows[0]?.pid])).rows, { timeout: 30_000 })
      .toEqual([{ count: 1 }]);
    await other.query('COMMIT');
    other.release();
    expect(await updated).toMatchObject({ ok: false, problem: { code: 'conflict' } });
    expect(await findProvider(shop.database, name)).toMatchObject({
      ...{ baseUrl: 'http://127.0.0.1:10/v1', sealedKey: null, headerNames: [], maxConcurrency: null },
    });
  });
});

test.each([
  ['a private network', 'http://192.168.1.20:11434/v1', /on a private network.*HONE_ALLOWED_PRIVATE_HOSTS/],
  ['cloud metadata', 'http://169.254.169.254/v1', /on a private network/],
  ['the unspecified address', 'http://0.0.0.0:8000/v1', /refused/],
])('rejects an address on %s unless it is allowed', async (_name, baseUrl, words) => {
  const shop = testContext(db.database());
  const input = { name: 'away', kind: 'openai-compatible', baseUrl };
  const refusal = { ok: false, problem: { field: 'baseUrl', message: expect.stringMatching(words) } };
  expect(await saveProvider(shop, TESTER, input)).toMatchObject(refusal);
  unwrap(await saveProvider(shop, TESTER, { ...input, baseUrl: 'http://localhost:9/v1' }));
  expect(await updateProvider(shop, TESTER, 'away', { baseUrl })).toMatchObject(refusal);
  unwrap(await deleteProvider(shop, TESTER, 'away', { evenInUse: false }));
  const open = { ...shop, addresses: { allowLoopback: true, allowedPrivateHosts: ['192.168.1.20:11434'] } };
  expect((await saveProvider(open, TESTER, input)).ok).toBe(baseUrl.includes('192.168'));
  await deleteProvider(shop, TESTER, 'away', { evenInUse: false });
});

describe('a provider in use', () => {
  test('lists its uses and is not deleted without confirmation', async () => {
    const shop = await added('busy', 'http://127.0.0.1:9/v1');
    const reference = { provider: 'busy', model: 'm' };
    unwrap(
      await createExperiment(shop, TESTER, {
        name: 'Its judge and a worker',
        ...PRACTICE_WRITING,
        generator: {
          provider: 'practice',
          model: 'practice-1',
          base: { type: 'supervisor', workers: [{ name: 'scout', ...reference }, { name: 'other' }] },
        },
        evaluatorModel: reference,
      }),
    );
    unwrap(await createPrompt(shop, TESTER, { name: 'tried', text: 'x', setup: { models: [reference] } }));
    expect((await viewOf(shop, 'busy'))?.use).toMatchObject({
      experiments: 1,
      prompts: 1,
      models: [{ model: 'm', uses: 2, roles: ['judges', 'trials', 'workers'] }],
      named: [
        { kind: 'experiment', name: 'Its judge and a worker', roles: ['judges', 'workers'] },
        { kind: 'prompt', name: 'tried', roles: ['trials'] },
      ],
    });
    expect(await deleteProvider(shop, TESTER, 'busy', { evenInUse: false })).toMatchObject({
      ok: false,
      problem: {
        code: 'conflict',
        message: expect.stringContaining('1 experiment and 1 prompt: "Its judge and a worker" and "tried"'),
      },
    });
    unwrap(await deleteProvider(shop, TESTER, 'busy', { evenInUse: true }));
    expect(await viewOf(shop, 'busy')).toBeUndefined();
    expect(await deleteProvider(shop, TESTER, 'busy', { evenInUse: false })).toMatchObject({
      problem: { code: 'not_found' },
    });
  });
});

describe('prices', () => {
  test('set for a provider override public prices one model at a time and can be removed', async () => {
    const shop = testContext(db.database());
    const groq = { name: 'fast', kind: 'openai-compatible', baseUrl: 'https://api.groq.com/openai/v1' };
    const own = { inputPerMillionUsd: 9, outputPerMillionUsd: 8 };
    unwrap(await saveProvider(shop, TESTER, { ...groq, prices: { kept: own } }));
    const model = 'llama-3.3-70b-versatile';
    const rowOf = async (wanted: string) =>
      (await listPrices(shop)).find((row) => row.provider === 'fast' && row.model === wanted);
    const set = (price: unknown) => updatePrices(shop, TESTER, { prices: [{ provider: 'fast', model, price }] });
    const after = unwrap(await set(own)).find((row) => row.model === model);
    expect(after).toMatchObject({ own, list: { inputPerMillionUsd: 0.59, from: 'Groq' } });
    expect((await providerResolver(shop)('fast'))?.prices).toEqual({ kept: own, [model]: own });
    unwrap(await set(null));
    expect((await providerResolver(shop)('fast'))?.prices).toEqual({ kept: own });
    expect(await rowOf('kept')).toMatchObject({ own, list: null });
    expect((await listPrices(shop))[0]).toMatchObject({ provider: 'practice', list: { from: 'practice' } });
  });

  test('that change nothing write nothing', async () => {
    const shop = { ...testContext(db.database()), environmentKeys: { anthropic: KEY } };
    const price = { inputPerMillionUsd: 1, outputPerMillionUsd: 2 };
    unwrap(await saveProvider(shop, TESTER, { name: 'same', kind: 'openai', apiKey: KEY, prices: { m: price } }));
    const rows = () => db.database().prisma.provider.findMany({ orderBy: { name: 'asc' } });
    const before = await rows();
    const later = { ...shop, now: () => new Date(Date.now() + 60_000) };
    const prices = [
      { provider: 'same', model: 'm', price },
      { provider: 'same', model: 'other', price: null },
      { provider: 'anthropic', model: 'm', price: null },
    ];
    unwrap(await updatePrices(later, TESTER, { prices }));
    expect(await rows()).toEqual(before);
  });

  test.each<[string, object, string, string]>([
    ['the practice model', { provider: 'practice', model: 'practice-1', price: null }, 'invalid', 'prices.0.provider'],
    ['an unknown provider', { provider: 'nobody', model: 'm', price: null }, 'not_found', 'prices.0.provider'],
    [
      'an invalid price',
      { provider: 'x', model: 'm', price: { inputPerMillionUsd: 'a', outputPerMillionUsd: 1 } },
      'invalid',
      'prices.0.price.inputPerMillionUsd',
    ],
  ])('of %s are rejected', async (_name, price, code, field) => {
    const shop = testContext(db.database());
    expect(await updatePrices(shop, TESTER, { prices: [price] })).toMatchObject({
      ok: false,
      problem: { code, field },
    });
  });
});

describe('local model servers', () => {
  const found = [
    { name: 'ollama', label: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', state: 'found' as const, models: ['m'] },
    { name: 'vllm', label: 'vLLM', baseUrl: 'http://127.0.0.1:8000/v1', state: 'nothing' as const, models: [] },
  ];

  test('are matched to providers by port for any name of this machine', async () => {
    const shop = await added('mine', 'http://localhost:11434/v1', null);
    expect(unwrap(await detectLocalServers(shop, TESTER, async () => found))).toMatchObject([
      { name: 'ollama', addedAs: 'mine' },
      { name: 'vllm', addedAs: null },
    ]);
  });

  test('are detected only in local mode', async () => {
    const shop = { ...testContext(db.database()), addresses: { allowLoopback: false, allowedPrivateHosts: [] } };
    const asked = async () => expect.unreachable('nothing may be asked');
    expect(await detectLocalServers(shop, TESTER, asked)).toMatchObject({ ok: false, problem: { code: 'forbidden' } });
  });
});
