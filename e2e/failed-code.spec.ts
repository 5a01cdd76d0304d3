import type { Page } from '@playwright/test';
import { createdDatasetSchema } from '#lib/api/datasets-schema.ts';
import { openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { openSampleRun } from './open-sample-run.ts';

/** Blocks the code that the page has not loaded yet, as after an update of Hone. Returns a function that allows it again. */
async function blockCode(page: Page): Promise<() => Promise<void>> {
  await page.waitForLoadState('networkidle');
  await page.route('**/_next/static/**/*.js', (route) => route.abort());
  return () => page.unroute('**/_next/static/**/*.js');
}

test.beforeEach(({ expectConsole }) => expectConsole(/ERR_FAILED|Failed to load chunk/));

test('a dialog whose code cannot be loaded shows an error and opens on "Try again"', async ({ page, app }) => {
  const { id } = await openApi(app.address).read(createdDatasetSchema, 'POST', '/api/v1/datasets', {
    name: 'Without code',
    cases: [{ input: 'case 1' }],
  });
  await page.goto(`/datasets/${id}`);
  const allowCode = await blockCode(page);
  await page.getByRole('button', { name: 'Delete' }).first().click();
  const error = page.getByRole('alert').filter({ hasText: 'could not be loaded' });
  await expect(error).toBeVisible();
  await expect(page.getByTestId('cases')).toContainText('case 1');
  await error.getByRole('button', { name: 'Close' }).click();
  await expect(error).toBeHidden();
  await page.getByRole('button', { name: 'Delete' }).first().click();
  await allowCode();
  await error.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('dialog', { name: /Delete/ })).toBeVisible();
});

test('a form keeps its input if the code of the leave dialog and the command menu cannot be loaded', async ({
  page,
}) => {
  await page.goto('/experiments/new');
  const name = page.getByLabel('Name', { exact: true }).first();
  await blockCode(page);
  await name.fill('An hour of work');
  await page.mouse.move(300, 300);
  await page.keyboard.press('Control+k');
  const error = page.getByRole('alert').filter({ hasText: 'could not be loaded' });
  await expect(error.getByRole('button', { name: 'Try again' })).toBeFocused();
  await error.getByRole('button', { name: 'Close' }).click();
  const asked: string[] = [];
  page.on('dialog', async (dialog) => {
    asked.push(dialog.message());
    await dialog.dismiss();
  });
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await expect.poll(() => asked).toEqual([expect.stringContaining('“Name”')]);
  await expect(name).toHaveValue('An hour of work');
});

test('a message is shown as plain text if the code of the toasts cannot be loaded', async ({ page }) => {
  await page.goto('/settings/backup');
  await blockCode(page);
  await page.getByLabel('Scheduled backups kept').fill('9');
  await page.getByLabel('Scheduled backups kept').press('Enter');
  const message = page.getByRole('status').getByRole('button', { name: 'Backup schedule saved' });
  await message.click();
  await expect(message).toBeHidden();
  await expect(page.getByLabel('Scheduled backups kept')).toHaveValue('9');
});

test('the error of the command menu takes no typed text, closes on Escape and returns the focus', async ({ page }) => {
  await page.goto('/experiments/new');
  const name = page.getByLabel('Name', { exact: true }).first();
  await blockCode(page);
  await name.fill('One');
  const error = page.getByRole('alert').filter({ hasText: 'could not be loaded' });
  const retry = error.getByRole('button', { name: 'Try again' });
  for (const close of ['Escape', 'Space']) {
    await page.keyboard.press('Control+k');
    await expect(retry).toBeFocused();
    await name.focus();
    await page.keyboard.type(' two');
    await error.getByRole('button', { name: 'Close' }).focus();
    await page.keyboard.press(close);
    await expect(error).toBeHidden();
    await expect(name).toBeFocused();
  }
  await expect(name).toHaveValue('One two two');
});

for (const { name, path, role, focused, key } of [
  { name: 'the list of shortcuts', path: '/experiments', role: 'link', focused: 'Runs', key: '?' },
  { name: 'an import', path: '/prompts', role: 'button', focused: 'Import', key: 'Enter' },
] as const) {
  test(`the error of ${name} closes on Escape and returns the focus`, async ({ page }) => {
    await page.goto(path);
    await blockCode(page);
    const opener = page.getByRole(role, { name: focused, exact: true });
    await opener.focus();
    await page.keyboard.press(key);
    const error = page.getByRole('alert').filter({ hasText: 'could not be loaded' });
    await expect(error.getByRole('button', { name: 'Try again' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(error).toBeHidden();
    await expect(opener).toBeFocused();
  });
}

test('a what-if whose code cannot be loaded shows an error and opens on "Try again"', async ({ page }) => {
  await openSampleRun(page);
  const allowCode = await blockCode(page);
  await page.getByRole('button', { name: 'What if', exact: true }).click();
  const error = page.getByRole('alert').filter({ hasText: 'What if could not be loaded' });
  await expect(error).toBeVisible();
  await allowCode();
  await error.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByTestId('what-if-answer')).toContainText('Change a setting to see');
  await expect(error).toBeHidden();
});

test('a call that could not be loaded without a connection loads on one "Try again"', async ({ page }) => {
  await openSampleRun(page);
  await page.goto(`${new URL(page.url()).pathname}/calls`);
  const allowCode = await blockCode(page);
  await page.route('**/api/v1/runs/*/calls/*', (route) => route.abort());
  const first = page
    .getByRole('list', { name: /^\d+ calls$/ })
    .getByRole('listitem')
    .first();
  await first.locator('summary').click();
  await expect(first.getByRole('alert')).toBeVisible();
  await allowCode();
  await page.unroute('**/api/v1/runs/*/calls/*');
  await first.getByRole('button', { name: 'Try again' }).click();
  await expect(first.getByRole('button', { name: 'Copy as JSON' })).toBeVisible();
});
