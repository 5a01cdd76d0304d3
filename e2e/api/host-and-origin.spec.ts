import { createdDatasetSchema } from '#lib/api/datasets-schema.ts';
import { deletedSchema } from '#lib/http/fields.ts';
import { startApp } from '../start-app.ts';
import { expect, test } from './api-test.ts';
import { openApi, SMALL } from './open-api.ts';

const READS = [
  '/',
  '/experiments',
  '/models',
  '/nowhere',
  '/icon.svg',
  '/api/v1/health',
  '/api/v1/datasets',
  '/api/v1/datasets?limit=1',
  '/api/v1/runs',
  '/api/v1/openapi.json',
  '/api/nowhere',
  '/_next/static/nothing.js',
];
const FOREIGN_HOSTS = [
  'attacker.example',
  'attacker.example:PORT',
  '127.0.0.1.nip.io:PORT',
  'localhost.:PORT',
  '127.0.0.1:1',
  '127.0.0.1',
  '0.0.0.0:PORT',
  '[::ffff:127.0.0.1]:PORT',
  'x@127.0.0.1:PORT',
  '',
];

test.describe('rejects a foreign Host', () => {
  for (const path of READS) {
    test(`everywhere: GET ${path}`, async ({ api, app }) => {
      for (const host of FOREIGN_HOSTS) {
        const { status, text } = await api.call('GET', path, undefined, {
          headers: { host: host.replace('PORT', String(app.port)) },
        });
        expect({ foreign: host, refused: status === 403 || status === 400 }).toEqual({ foreign: host, refused: true });
        expect(text).not.toContain('"items"');
      }
    });
  }

  test('also if the Origin matches the foreign Host, as in DNS rebinding', async ({ api, app }) => {
    const host = `attacker.example:${app.port}`;
    const headers = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
    for (const path of ['/api/v1/experiments', '/api/v1/datasets', '/api/v1/lessons/import', '/api/v1/runs/import']) {
      expect(await api.call('POST', path, { ...SMALL, cases: [{ input: 'x' }] }, { headers })).toMatchObject({
        status: 403,
        body: { error: { code: 'forbidden' } },
      });
    }
  });

  test('accepts loopback host names', async ({ api, app }) => {
    for (const host of ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]']) {
      expect(
        (await api.call('GET', '/api/v1/health', undefined, { headers: { host: `${host}:${app.port}` } })).status,
      ).toBe(200);
    }
  });
});

test.describe('rejects a write from a foreign origin and changes nothing', () => {
  const WRITES: [string, string][] = [
    ['POST', '/api/v1/datasets'],
    ['POST', '/api/v1/datasets?name=x'],
    ['POST', '/api/v1/lessons/import'],
    ['POST', '/api/v1/runs/import'],
    ['DELETE', '/api/v1/datasets/00000000-0000-4000-8000-000000000000'],
    ['POST', '/api/v1/experiments'],
    ['PATCH', '/api/v1/experiments/00000000-0000-4000-8000-000000000000'],
    ['POST', '/api/v1/experiments/00000000-0000-4000-8000-000000000000/runs'],
    ['POST', '/api/v1/runs/00000000-0000-4000-8000-000000000000/stop'],
    ['DELETE', '/api/v1/runs/00000000-0000-4000-8000-000000000000'],
    ['POST', '/api/v1/providers'],
    ['POST', '/api/v1/providers/practice/test'],
    ['POST', '/'],
    ['POST', '/experiments/new'],
    ['PUT', '/nowhere'],
  ];
  const SOURCES: [string, Record<string, string>][] = [
    ['another site', { origin: 'https://attacker.example', 'sec-fetch-site': 'cross-site' }],
    ['another site in an old browser', { origin: 'https://attacker.example' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }],
    ['a form without Origin', { 'sec-fetch-site': 'cross-site' }],
  ];
  for (const [method, path] of WRITES) {
    test(`${method} ${path}`, async ({ api }) => {
      for (const [source, headers] of SOURCES) {
        const { status } = await api.call(
          method,
          path,
          { ...SMALL, name: 'Foreign', cases: [{ input: 'x' }] },
          { headers },
        );
        expect({ source, status }).toEqual({ source, status: 403 });
      }
      for (const list of ['experiments', 'datasets', 'providers'])
        expect((await api.call('GET', `/api/v1/${list}`)).text).not.toContain('Foreign');
    });
  }

  test('accepts writes from its own pages and from non-browser clients', async ({ api, app }) => {
    const own = { origin: `http://127.0.0.1:${app.port}`, 'sec-fetch-site': 'same-origin' };
    for (const headers of [own, {}]) {
      const id = (
        await api.read(
          createdDatasetSchema,
          'POST',
          '/api/v1/datasets',
          { name: 'Own', cases: [{ input: 'x' }] },
          { headers },
        )
      ).id;
      await api.read(deletedSchema, 'DELETE', `/api/v1/datasets/${id}`, undefined, { headers });
    }
  });
});

test('every response has the security headers; each page has its own nonce', async ({ api }) => {
  for (const path of READS) {
    const { headers } = await api.call('GET', path);
    expect({ path, ...headers }).toMatchObject({
      path,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(headers['content-security-policy']).toContain(`frame-ancestors 'none'`);
    expect(headers['content-security-policy']).not.toContain('unsafe-eval');
    expect(headers['x-powered-by']).toBeUndefined();
    expect(headers['access-control-allow-origin']).toBeUndefined();
  }
  const nonces = await Promise.all(
    [1, 2].map(
      async () => /'nonce-([^']+)'/.exec(String((await api.call('GET', '/')).headers['content-security-policy']))?.[1],
    ),
  );
  expect(nonces[0]).toBeTruthy();
  expect(nonces[0]).not.toBe(nonces[1]);
});

test('a script is sent with the short policy of data', async ({ api }) => {
  const [path = ''] = /\/_next\/static\/[^"]+\.js/.exec((await api.call('GET', '/')).text) ?? [];
  const { status, headers } = await api.call('GET', path);
  expect(status).toBe(200);
  expect(headers['content-security-policy']).toBe(`default-src 'none'; frame-ancestors 'none'`);
  expect(headers['x-content-type-options']).toBe('nosniff');
});

test('every script of a page has the nonce of its response', async ({ api }) => {
  for (const path of ['/', '/experiments', '/models', '/nowhere']) {
    const { headers, text } = await api.call('GET', path);
    const nonce = /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1];
    const scripts = text.match(/<script\b[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`);
  }
});

test('ignores a nonce sent by the client', async ({ api }) => {
  const { headers, text } = await api.call('GET', '/', undefined, {
    headers: { 'x-nonce': 'planted', 'content-security-policy': `script-src 'nonce-planted'` },
  });
  expect(text + String(headers['content-security-policy'])).not.toContain('planted');
});

test('APP_URL allows only its own host and origin', async () => {
  const app = await startApp({ env: { APP_URL: 'https://hone.example' } });
  try {
    const api = openApi(app.address);
    const own = { host: 'hone.example', origin: 'https://hone.example', 'sec-fetch-site': 'same-origin' };
    expect((await api.call('POST', '/api/v1/experiments', SMALL, { headers: own })).status).toBe(201);
    expect(
      (await api.call('POST', '/api/v1/experiments', SMALL, { headers: { ...own, origin: 'http://hone.example' } }))
        .status,
    ).toBe(403);
    expect((await api.call('GET', '/api/v1/health', undefined, { headers: { host: 'x.hone.example' } })).status).toBe(
      403,
    );
  } finally {
    await app.stop();
  }
});
