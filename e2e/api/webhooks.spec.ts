import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import {
  changedWebhookSchema,
  deliveriesSchema,
  resentSchema,
  webhooksSchema,
  webhookTestSchema,
} from '#lib/api/webhooks.ts';
import { deletedSchema } from '#lib/http/fields.ts';
import { startDecidingService } from '../deciding-service.ts';
import { expect, test } from './api-test.ts';

const CANARY = 'a CANARY of a secret 7f3a9b2c4d';

/** Starts a fake webhook server that records requests and returns this response. */
async function startValidator(answer: object) {
  const seen: { headers: Record<string, unknown>; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      seen.push({ headers: request.headers, body });
      response.end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/score`, seen, stop: () => server.close() };
}

test('a webhook scores a run with a signed request; its secret is never returned', async ({ api, app }) => {
  const validator = await startValidator({ score: 0.95, reason: 'Fine.' });
  const answers: string[] = [];
  const note = async (method: string, address: string, body?: unknown) => {
    const { status, text } = await api.call(method, address, body);
    answers.push(text);
    return status;
  };
  const webhook = { name: 'checker', url: validator.url, secret: CANARY };
  expect(await note('POST', '/api/v1/webhooks', webhook)).toBe(201);
  expect(await note('POST', '/api/v1/webhooks', webhook)).toBe(409);
  expect(await note('POST', '/api/v1/webhooks', { ...webhook, name: 'x', colour: CANARY })).toBe(400);
  expect(await note('POST', '/api/v1/webhooks', `{"secret": "${CANARY}",}`)).toBe(400);
  expect(await note('PATCH', '/api/v1/webhooks/checker', { url: validator.url })).toBe(200);
  expect(await note('POST', '/api/v1/webhooks/checker/test')).toBe(200);
  expect(await note('GET', '/api/v1/webhooks')).toBe(200);
  expect(await note('GET', '/settings')).toBe(200);

  const criteria = [{ name: 'house rules', evaluator: 'webhook', config: { name: 'checker' } }];
  const experimentId = await api.createExperiment({ name: 'By webhook', criteria });
  const runId = await api.startRun(experimentId);
  expect(await api.waitForRun(runId, ['finished'])).toMatchObject({ convergenceReason: 'quality_met' });
  for (const address of [`/api/v1/runs/${runId}`, `/runs/${runId}`, `/api/v1/experiments/${experimentId}`])
    await note('GET', address);
  const { headers, body } = validator.seen.at(-1) ?? { headers: {}, body: '' };
  expect(JSON.parse(body)).toMatchObject({ run: runId, version: 0, criterion: { name: 'house rules' } });
  expect(headers['hone-signature']).toBe(
    createHmac('sha256', CANARY).update(`${headers['hone-timestamp']}.${body}`).digest('hex'),
  );
  validator.stop();

  const refused = await api.call('DELETE', '/api/v1/webhooks/checker');
  expect(refused).toMatchObject({
    status: 409,
    body: { error: { code: 'conflict', message: expect.stringContaining('By webhook') } },
  });
  expect((await api.call('DELETE', '/api/v1/webhooks/checker?evenInUse=maybe')).status).toBe(400);
  expect(await api.read(deletedSchema, 'DELETE', '/api/v1/webhooks/checker?evenInUse=true')).toEqual({
    deleted: { webhooks: 1 },
  });
  expect((await api.call('PATCH', '/api/v1/webhooks/checker', {})).status).toBe(404);
  expect((await api.call('POST', '/api/v1/webhooks/checker/test')).status).toBe(404);

  for (const text of answers) expect(text).not.toContain(CANARY);
  expect(app.output()).not.toContain(CANARY);
  for (const file of filesIn(app.dataFolder))
    expect({ file, holds: readFileSync(file).includes(CANARY) }).toEqual({ file, holds: false });
});

test('returns a generated secret once', async ({ api }) => {
  const input = { name: 'made', url: 'http://127.0.0.1:9/hook' };
  const made = await api.read(changedWebhookSchema, 'POST', '/api/v1/webhooks', input);
  expect(made.secret).toMatch(/^whsec_/);
  const { items } = await api.read(webhooksSchema, 'GET', '/api/v1/webhooks');
  expect(items).toContainEqual(expect.objectContaining({ name: 'made', usedBy: [] }));
  const renewed = await api.read(changedWebhookSchema, 'PATCH', '/api/v1/webhooks/made', { newSecret: true });
  expect(renewed.secret).not.toBe(made.secret);
  expect(await api.read(webhookTestSchema, 'POST', '/api/v1/webhooks/made/test')).toMatchObject({ ok: false });
});

test('a webhook decides; deliveries are listed and resent, and the secret is rotated', async ({ api }) => {
  const service = await startDecidingService({ decision: 'stop' });
  const made = await api.read(changedWebhookSchema, 'POST', '/api/v1/webhooks', { name: 'gate', url: service.url });
  const experimentId = await api.createExperiment({ callbacks: { pause: 'always', webhook: 'gate' } });
  const runId = await api.startRun(experimentId);
  const { waitingFor } = await api.waitForRun(runId, ['waiting']);
  const list = (query = '') => api.read(deliveriesSchema, 'GET', `/api/v1/webhooks/gate/deliveries${query}`);
  await expect.poll(async () => (await list()).items[0]?.state, { timeout: 20_000 }).toBe('refused');
  const [delivery] = (await list()).items;
  expect(delivery).toMatchObject({ runId, pauseId: waitingFor?.pauseId, tries: 1, responseStatus: 200 });
  expect(JSON.parse(service.seen[0]?.body ?? '')).toMatchObject({ runId, hook: 'onReflection', version: 0 });

  const rotated = await api.read(changedWebhookSchema, 'POST', '/api/v1/webhooks/gate/rotate');
  expect(rotated.secret).not.toBe(made.secret);
  service.secret = rotated.secret ?? '';
  const resend = `/api/v1/webhooks/gate/deliveries/${delivery?.id}/resend`;
  expect(await api.read(resentSchema, 'POST', resend)).toEqual({ id: delivery?.id, state: 'waiting' });
  expect(await api.waitForRun(runId, ['stopped'])).toMatchObject({ decisions: [{ by: 'webhook', actor: 'gate' }] });
  expect((await api.call('POST', resend)).status).toBe(409);
  expect((await api.call('POST', `/api/v1/webhooks/gate/deliveries/${runId}/resend`)).status).toBe(404);
  expect((await api.call('GET', '/api/v1/webhooks/nobody/deliveries')).status).toBe(404);
  expect((await api.call('POST', '/api/v1/webhooks/nobody/rotate')).status).toBe(404);
  expect((await api.call('GET', '/api/v1/webhooks/gate/deliveries?limit=0')).status).toBe(400);
  service.stop();
});

test('rejects a blocked URL and an unknown webhook with the field', async ({ api }) => {
  for (const url of ['http://169.254.169.254/', 'http://10.0.0.1/', 'http://[::ffff:10.0.0.1]/', 'file:///etc/passwd'])
    expect(await api.call('POST', '/api/v1/webhooks', { name: 'inner', url })).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid', field: 'url' } },
    });
  const criteria = [{ name: 'house rules', evaluator: 'webhook', config: { name: 'nobody' } }];
  const refused = await api.call('POST', '/api/v1/experiments', {
    name: 'x',
    mode: 'revise',
    generator: { provider: 'practice', model: 'practice-1' },
    criteria,
  });
  expect(refused).toMatchObject({ status: 400, body: { error: { field: 'criteria.0.config.name' } } });
});

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}
