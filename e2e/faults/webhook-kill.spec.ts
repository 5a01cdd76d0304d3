import { expect, test } from '@playwright/test';
import { changedWebhookSchema, deliveriesSchema } from '#lib/api/webhooks.ts';
import { openApi } from '../api/open-api.ts';
import { startDecidingService } from '../deciding-service.ts';
import { startRestartableApp } from '../start-app.ts';

test('a webhook request interrupted by SIGKILL is resent with the same id and decides once', async () => {
  test.setTimeout(180_000);
  const service = await startDecidingService({ decision: 'accept' });
  service.secret = 'a secret of both sides';
  service.hangs = true;
  const hone = await startRestartableApp();
  try {
    const api = openApi(hone.app.address);
    const webhook = { name: 'gatekeeper', url: service.url, secret: service.secret };
    await api.read(changedWebhookSchema, 'POST', '/api/v1/webhooks', webhook);
    const experimentId = await api.createExperiment({ callbacks: { pause: 'always', webhook: 'gatekeeper' } });
    const runId = await api.startRun(experimentId);
    await expect.poll(() => service.seen.length, { timeout: 30_000 }).toBe(1);
    await hone.killAndRestart(() => {
      service.hangs = false;
    });
    const record = await api.waitForRun(runId, ['finished']);
    expect(record.decisions).toMatchObject([{ decision: 'accept', by: 'webhook', actor: 'gatekeeper' }]);
    expect(service.seen).toHaveLength(2);
    expect(service.seen[1]).toEqual(service.seen[0]);
    // The run ends before its delivery is marked as decided.
    const deliveries = async () =>
      (await api.read(deliveriesSchema, 'GET', '/api/v1/webhooks/gatekeeper/deliveries')).items;
    await expect.poll(deliveries).toMatchObject([{ id: service.seen[0]?.delivery, state: 'decided', tries: 2 }]);
  } finally {
    await hone.stop();
    service.stop();
  }
});
