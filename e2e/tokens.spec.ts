import { openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';

test('an API token is created by keyboard, shown once, listed by its last four characters, and revoked', async ({
  page,
  app,
}) => {
  await page.goto('/settings');
  const form = page.locator('form', { has: page.getByRole('button', { name: 'Create token' }) });
  await form.getByLabel('Name').fill('release-ci');
  await expect(async () => {
    await form.getByLabel('lessons:read').uncheck();
    await form.getByLabel('Name').press('Enter');
    await expect(form.getByRole('alert')).toContainText('at least one scope', { timeout: 2_000 });
  }).toPass();
  await form.getByLabel('runs:read').check();
  await form.getByLabel('Expires').selectOption('Never');
  await form.getByLabel('Name').press('Enter');
  const token = (await page.getByTestId('made-token').innerText()).trim();
  expect(token).toMatch(/^hone_[A-Za-z0-9_-]{43}$/);

  const api = openApi(app.address);
  const ask = () => api.call('GET', '/api/v1/runs', undefined, { headers: { authorization: `Bearer ${token}` } });
  expect((await ask()).status).toBe(200);
  await page.reload();
  await expect(page.getByTestId('made-token')).toBeHidden();
  const row = page.getByTestId('tokens').getByRole('row', { name: 'release-ci' });
  await expect(row).toContainText(`…${token.slice(-4)}`);
  await expect(row).toContainText('never');
  await expect(row).not.toContainText('not used yet');
  expect(await page.content()).not.toContain(token);

  await row.getByRole('button', { name: 'Revoke release-ci' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(row).toContainText('revoked');
  expect((await ask()).status).toBe(401);
});
