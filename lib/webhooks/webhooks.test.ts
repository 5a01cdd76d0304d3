import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { raw, type ScriptedServer, startScriptedServer, status } from '#lib/testing/scripted-server.test-support.ts';
import { PRACTICE_SUMS, queuedRun, TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { testWebhook } from '#lib/worker/webhooks/test-webhook.ts';
import { SECRET, signed } from './deciding-webhook.test-support.ts';
import { listWebhooks } from './queries.ts';
import { deleteWebhook, saveWebhook, updateWebhook } from './save-webhook.ts';
import { postToWebhook } from './send-webhook.ts';

const db = useTestDatabase();
const context = () => testContext(db.database());
const signal = new AbortController().signal;
const CANARY = 'a canary of the secret';
const LOCAL = 'http://127.0.0.1:4/hook';

/** Returns the secret that matches the signature of the last request. */
function secretOf(server: ScriptedServer, secrets: (string | null)[]): string | null | undefined {
  const request = server.requests.at(-1);
  const text = `${request?.headers['hone-timestamp']}.${JSON.stringify(request?.body)}`;
  return secrets.find(
    (secret) =>
      secret !== null && createHmac('sha256', secret).update(text).digest('hex') === request?.headers['hone-signature'],
  );
}

describe('a webhook', () => {
  test('is stored with a generated secret that is shown once', async () => {
    const shop = context();
    const made = unwrap(await saveWebhook(shop, TESTER, { name: 'made', url: LOCAL }));
    expect(made).toMatchObject({
      name: 'made',
      url: LOCAL,
      usedBy: [],
      secret: expect.stringMatching(/^whsec_[\w-]{43}$/),
    });
    const listed = await listWebhooks(shop);
    expect(listed).toContainEqual(expect.objectContaining({ name: 'made', url: LOCAL }));
    expect(JSON.stringify(listed)).not.toContain(made.secret);
    const rows = await db.database().pool.query('SELECT * FROM webhooks');
    expect(JSON.stringify(rows.rows)).not.toContain(made.secret);
  });

  test('signs with a given secret and never returns it', async () => {
    const shop = context();
    const server = await startScriptedServer([raw('{"score": 0.5}')]);
    const saved = unwrap(await saveWebhook(shop, TESTER, { name: 'given', url: server.baseUrl, secret: CANARY }));
    const posted = await postToWebhook(shop, 'given', { a: 1 }, { signal });
    expect(posted).toMatchObject({ ok: true, json: { score: 0.5 } });
    expect(secretOf(server, [CANARY])).toBe(CANARY);
    const tested = unwrap(await testWebhook(shop, TESTER, 'given'));
    expect(tested).toMatchObject({
      ok: true,
      answered: 'score',
      score: 0.5,
      message: expect.stringContaining('with the score 0.5'),
    });
    expect(JSON.stringify([saved, await listWebhooks(shop), posted, tested])).not.toContain(CANARY);
    await server.close();
  });

  test('keeps its secret when the URL changes, and gets a new one on request', async () => {
    const shop = context();
    const server = await startScriptedServer([raw('{"score": 1}')]);
    unwrap(await saveWebhook(shop, TESTER, { name: 'moved', url: LOCAL, secret: CANARY }));
    expect(unwrap(await updateWebhook(shop, TESTER, 'moved', { url: server.baseUrl }))).toMatchObject({
      url: server.baseUrl,
      secret: null,
    });
    await postToWebhook(shop, 'moved', {}, { signal });
    expect(secretOf(server, [CANARY])).toBe(CANARY);
    const { secret } = unwrap(await updateWebhook(shop, TESTER, 'moved', { newSecret: true }));
    await postToWebhook(shop, 'moved', {}, { signal });
    expect(secret).not.toBeNull();
    expect(secretOf(server, [CANARY, secret])).toBe(secret);
    await server.close();
  });

  test('fails if its secret was encrypted with the key of another installation', async () => {
    unwrap(await saveWebhook(context(), TESTER, { name: 'sealed', url: LOCAL }));
    expect(await postToWebhook(context(), 'sealed', {}, { signal })).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/another secret/),
      remedy: expect.stringMatching(/new secret/),
    });
  });

  test('can be deleted and is not found afterwards', async () => {
    const shop = context();
    unwrap(await saveWebhook(shop, TESTER, { name: 'gone', url: LOCAL }));
    expect(await deleteWebhook(shop, TESTER, 'gone', { evenInUse: false })).toEqual({
      ok: true,
      value: { deleted: { webhooks: 1 } },
    });
    const missing = { ok: false, problem: { code: 'not_found' } };
    expect(await deleteWebhook(shop, TESTER, 'gone', { evenInUse: false })).toMatchObject(missing);
    expect(await updateWebhook(shop, TESTER, 'gone', { url: LOCAL })).toMatchObject(missing);
    expect(await testWebhook(shop, TESTER, 'gone')).toMatchObject(missing);
    expect(await postToWebhook(shop, 'gone', {}, { signal })).toMatchObject({
      ok: false,
      problem: 'The webhook "gone" does not exist.',
    });
  });
});

test('the deletion of a missing webhook keeps the deliveries of its name', async () => {
  const shop = context();
  const { prisma } = db.database();
  const runId = await queuedRun(shop, PRACTICE_SUMS, { input: '1 + 1', reference: '2' });
  const delivery = { id: shop.newId(), webhook: 'never-saved', runId, pauseId: shop.newId(), state: 'waiting' };
  await prisma.webhookDelivery.create({ data: { ...delivery, requestBody: '{}', createdAt: shop.now() } });
  expect(await deleteWebhook(shop, TESTER, 'never-saved', { evenInUse: true })).toMatchObject({ ok: false });
  expect(await prisma.webhookDelivery.count({ where: { webhook: 'never-saved' } })).toBe(1);
});

describe('rejects and names the field for', () => {
  test.each<[string, object, string, RegExp]>([
    ['a blank name', { name: ' ', url: LOCAL }, 'name', /1 to 120/],
    ['a name with a slash', { name: 'a/b', url: LOCAL }, 'name', /letters, digits/],
    ['a missing URL', { name: 'x' }, 'url', /must be an address/],
    ['an invalid URL', { name: 'x', url: 'example.com' }, 'url', /must be an address/],
    ['a private address', { name: 'x', url: 'http://10.0.0.1/' }, 'url', /private network.*HONE_ALLOWED_PRIVATE_HOSTS/],
    ['cloud metadata', { name: 'x', url: 'http://169.254.169.254/' }, 'url', /private network/],
    ['credentials', { name: 'x', url: 'http://a:b@example.com/' }, 'url', /user name or password/],
    ['a file URL', { name: 'x', url: 'file:///etc/passwd' }, 'url', /https:/],
    ['a short secret', { name: 'x', url: LOCAL, secret: 'short' }, 'secret', /16 to 200/],
    ['an unknown setting', { name: 'x', url: LOCAL, colour: 1 }, 'colour', /not a known setting/],
  ])('%s', async (_name, input, field, message) => {
    const refused = await saveWebhook(context(), TESTER, input);
    expect(refused).toMatchObject({
      ok: false,
      problem: { code: 'invalid', field, message: expect.stringMatching(message) },
    });
    expect((await listWebhooks(context())).map(({ name }) => name)).not.toContain('x');
  });

  test('a duplicate name', async () => {
    const shop = context();
    unwrap(await saveWebhook(shop, TESTER, { name: 'twice', url: LOCAL }));
    expect(await saveWebhook(shop, TESTER, { name: 'twice', url: LOCAL })).toMatchObject({
      ok: false,
      problem: { code: 'conflict', field: 'name' },
    });
  });

  test('a change to a private address, and a secret both given and generated', async () => {
    const shop = context();
    unwrap(await saveWebhook(shop, TESTER, { name: 'stays', url: LOCAL }));
    expect(await updateWebhook(shop, TESTER, 'stays', { url: 'http://192.168.0.1/' })).toMatchObject({
      ok: false,
      problem: { field: 'url' },
    });
    expect(await updateWebhook(shop, TESTER, 'stays', { secret: CANARY, newSecret: true })).toMatchObject({
      ok: false,
      problem: { field: 'newSecret' },
    });
    expect(await listWebhooks(shop)).toContainEqual(expect.objectContaining({ name: 'stays', url: LOCAL }));
  });
});

describe('a test reports', () => {
  test.each<[string, Parameters<typeof startScriptedServer>[0][number], RegExp, RegExp]>([
    ['the status', status(500, 'broken'), /responded with status 500/, /log of the service/],
    ['that the secret is unknown to the service', status(401, 'who?'), /status 401/, /secret/],
    ['that the response is not JSON', raw('<html>'), /not with JSON/, /JSON object/],
    ['that the score is out of range', raw('{"score": 7}'), /score must be a number from 0 to 1, got 7/, /0 to 1/],
    ['that the score is missing', raw('{}'), /score must be a number from 0 to 1, got nothing/, /0 to 1/],
    ['that the response is not an object', raw('[1]'), /must be a JSON object/, /0 to 1/],
    ['that a decision is not signed', raw('{"decision": "accept"}'), /cannot be used: it did not sign/, /signed/],
    [
      'that a decision has another signature',
      signed({ decision: 'stop' }, { secret: 'no' }),
      /does not match/,
      /signed/,
    ],
    [
      'that a decision names no pause',
      signed({ decision: 'accept', pauseId: undefined }),
      /cannot be used: it responded without pauseId/,
      /pauseId/,
    ],
    [
      'that a decision is for another delivery',
      signed({ decision: 'accept', delivery: 'another' }),
      /responded for another delivery/,
      /delivery/,
    ],
    ['that a decision is unknown', signed({ decision: 'approve' }), /decision must be one of accept/, /signed/],
    ['that a field of a decision is missing', signed({ decision: 'revise' }), /guidance must say/, /signed/],
  ])('%s', async (_name, answer, message, remedy) => {
    const shop = context();
    const server = await startScriptedServer([answer]);
    const name = `tested-${server.baseUrl.replace(/\D/g, '')}`;
    unwrap(await saveWebhook(shop, TESTER, { name, url: server.baseUrl, secret: SECRET }));
    expect(unwrap(await testWebhook(shop, TESTER, name))).toMatchObject({
      ok: false,
      message: expect.stringMatching(message),
      remedy: expect.stringMatching(remedy),
    });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.body).toMatchObject({ test: true });
    await server.close();
  });
});

describe('a test of a deciding service reports that it', () => {
  test.each<[string, Parameters<typeof startScriptedServer>[0][number], string | null, RegExp]>([
    ['decides', signed({ decision: 'accept', reason: 'Fine.' }), 'accept', /with the decision accept\./],
    ['declines', signed({ decision: null }), null, /leaves the decision to others/],
    ['returns no content', (response) => response.writeHead(204).end(), null, /leaves the decision to others/],
  ])('%s', async (_name, answer, decision, message) => {
    const shop = context();
    const server = await startScriptedServer([answer]);
    const name = `decides-${server.baseUrl.replace(/\D/g, '')}`;
    unwrap(await saveWebhook(shop, TESTER, { name, url: server.baseUrl, secret: SECRET }));
    expect(unwrap(await testWebhook(shop, TESTER, name))).toMatchObject({
      ok: true,
      answered: 'decision',
      decision,
      message: expect.stringMatching(message),
    });
    expect(server.requests[0]?.body).toMatchObject({
      test: true,
      hook: 'onReflection',
      pauseId: expect.any(String),
      delivery: server.requests[0]?.headers['hone-delivery'],
      output: 'Paris',
    });
    await server.close();
  });
});
