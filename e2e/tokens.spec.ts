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

test('a token that is shown once stays until it is dismissed or replaced by another one', async ({ page }) => {
  await page.goto('/settings');
  const form = page.locator('form', { has: page.getByRole('button', { name: 'Create token' }) });
  const made = page.getByTestId('made-token');
  await expect(async () => {
    await form.getByLabel('Name').fill('pressed-twice');
    await form.getByLabel('Name').press('Enter');
    await expect(made).toBeVisible({ timeout: 2_000 });
  }).toPass();
  const token = await made.innerText();
  await expect(form.getByLabel('Name')).toHaveValue('');
  await form.getByLabel('Name').press('Enter');
  await expect(form.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');
  await expect(made).toHaveText(token);
});

test('the secret of a new webhook stays although the form is sent again', async ({ page, app }) => {
  await page.goto('/settings');
  const form = page.locator('form', { has: page.getByRole('button', { name: 'Add webhook' }) });
  const made = form.getByTestId('made-secret');
  await expect(async () => {
    await form.getByLabel('Name').fill('pressed-twice');
    await form.getByLabel('URL').fill('https://example.com/score');
    await form.getByLabel('Name').press('Enter');
    await expect(made).toBeVisible({ timeout: 2_000 });
  }).toPass();
  const secret = await made.innerText();
  await expect(form.getByLabel('Name')).toHaveValue('');
  await form.getByLabel('Name').press('Enter');
  await expect(form.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');
  await expect(made).toHaveText(secret);
  await openApi(app.address).call('DELETE', '/api/v1/webhooks/pressed-twice');
});
