import { changedWebhookSchema, deliveriesSchema } from '#lib/api/webhooks.ts';
import { openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { excessWidth, violationsInBothThemes } from './axe.ts';
import { startDecidingService } from './deciding-service.ts';
import { clickUntil } from './press-until.ts';

test('a webhook with a wrong secret decides nothing; resent with the correct one, it ends the run', async ({
  page,
  app,
}) => {
  test.setTimeout(90_000);
  const api = openApi(app.address);
  const service = await startDecidingService({ decision: 'accept', reason: 'It will do.' });
  await api.read(changedWebhookSchema, 'POST', '/api/v1/webhooks', { name: 'gatekeeper', url: service.url });

  const experimentId = await api.createExperiment({ callbacks: { pause: 'always', webhook: 'gatekeeper' } });
  await page.goto(`/experiments/${experimentId}/edit`);
  await page.getByText('pauses after each version, webhook gatekeeper').click();
  await expect(page.getByLabel('Webhook', { exact: true })).toHaveValue('gatekeeper');

  const runId = await api.startRun(experimentId);
  await api.waitForRun(runId, ['waiting']);
  const deliveries = () => api.read(deliveriesSchema, 'GET', '/api/v1/webhooks/gatekeeper/deliveries');
  await expect.poll(async () => (await deliveries()).items[0]?.state, { timeout: 20_000 }).toBe('refused');
  expect((await api.waitForRun(runId, ['waiting'])).decisions).toEqual([]);

  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto('/settings');
  const section = page.getByTestId('webhook-gatekeeper').filter({ visible: true });
  await section.getByText('gatekeeper', { exact: true }).click();
  const delivery = section.getByTestId('delivery-refused');
  await expect(delivery).toContainText('response refused');
  await expect(delivery).toContainText('hone-signature that does not match its response');
  await delivery.getByText('Request and response').click();
  await expect(delivery).toContainText('"wouldStopAs"');
  await expect(delivery).toContainText('"It will do."');
  expect(await excessWidth(page)).toBe(0);
  expect(await violationsInBothThemes(page)).toEqual([]);

  const dialog = page.getByRole('dialog', { name: 'Rotate the secret of gatekeeper?' });
  await clickUntil(section.getByRole('button', { name: 'Rotate secret' }), dialog);
  await dialog.getByRole('button', { name: 'Rotate' }).click();
  service.secret = (await page.getByTestId('made-secret').innerText()).trim();
  expect(service.secret).toMatch(/^whsec_/);
  await delivery.getByRole('button', { name: 'Resend' }).click();
  expect(await api.waitForRun(runId, ['finished'])).toMatchObject({
    convergenceReason: 'user_accepted',
    decisions: [{ decision: 'accept', by: 'webhook', actor: 'gatekeeper', reason: 'It will do.' }],
  });
  expect(new Set(service.seen.map((request) => request.delivery)).size).toBe(1);

  await page.reload();
  await section.getByText('gatekeeper', { exact: true }).click();
  await expect(section.getByTestId('delivery-decided')).toContainText('Taken: accept of version 0.');
  await section.getByRole('link', { name: /^Run \d+$/ }).click();
  await expect(page).toHaveURL(new RegExp(`/runs/${runId}`));
  await expect(page.getByText('gatekeeper').first()).toBeVisible();
  await expect(page.getByText('◆ a webhook')).toBeVisible();
  service.stop();
});

test('an invalid URL of a webhook is reported with the label of its field', async ({ page, app }) => {
  const webhook = { name: 'moved', url: 'http://127.0.0.1:9/hook' };
  await openApi(app.address).read(changedWebhookSchema, 'POST', '/api/v1/webhooks', webhook);
  await page.goto('/settings');
  const section = page.getByTestId('webhook-moved');
  await section.getByText('moved', { exact: true }).click();
  const save = section.getByRole('button', { name: 'Save URL' });
  // Text entered before hydration is lost.
  await expect(async () => {
    await section.getByLabel('URL').fill('nonsense');
    await expect(save).toBeEnabled({ timeout: 500 });
  }).toPass();
  await save.click();
  await expect(section.getByText('URL must be an address such as https://example.com/hook')).toBeVisible();
});
