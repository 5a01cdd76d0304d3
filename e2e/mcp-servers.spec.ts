import type { Locator, Page } from '@playwright/test';
import { startTestMcpServer } from '#lib/tools/mcp/mcp-server.test-support.ts';
import { expect, test } from './app.ts';

const KEY = 'canary-of-a-page-5512';

/** Opens the settings and waits until the form to add a server works. */
async function openAddForm(page: Page): Promise<Locator> {
  await page.goto('/settings');
  const form = page.getByRole('form', { name: 'Add MCP server' });
  await expect(async () => {
    await form.getByLabel('Name').fill('The weather');
    await form.getByLabel('Name').press('Enter');
    await expect(form.getByText('Must be 1 to 30 lowercase letters')).toBeVisible({ timeout: 2_000 });
  }).toPass();
  return form;
}

test('an MCP server is added with a header, tested, viewed, moved and deleted', async ({ page }) => {
  const server = await startTestMcpServer();
  const form = await openAddForm(page);
  await form.getByLabel('Name').fill('weather');
  await form.getByLabel('URL').fill(server.url);
  await form.getByRole('button', { name: 'Add header' }).click();
  await form.getByLabel('Header', { exact: true }).fill('Authorization');
  await form.getByLabel('Value').fill(`Bearer ${KEY}`);
  await form.getByLabel('Value').press('Enter');
  await expect(form.getByRole('status')).toContainText('It returned 7 tools.');
  expect(server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);

  const row = page.getByTestId('mcp-server-weather');
  await expect(row).toContainText('works');
  await row.locator('summary').first().click();
  await expect(row.getByRole('list', { name: 'Tools' })).toContainText('weather__forecast');
  await expect(row).toContainText('Parameters: city (string).');
  await expect(row).toContainText('Authorization, ends in 5512');
  expect(await page.content()).not.toContain(KEY);

  await expect(row.getByRole('button', { name: 'Save' })).toBeDisabled();
  await row.getByLabel('URL').fill(`${server.url}/elsewhere`);
  await expect(row).toContainText('Changing the URL deletes the stored headers');
  await row.getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText('No headers are sent.');
  await server.close();
  await row.getByRole('button', { name: 'Test and list tools' }).click();
  await expect(row.getByRole('alert')).toContainText('The MCP server "weather" could not be reached');
  await expect(row.getByRole('list', { name: 'Tools' })).toBeVisible();

  await row.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(row).toBeHidden();
});

test('entered headers are kept when someone else changes the URL of their server', async ({ page }) => {
  const server = await startTestMcpServer();
  const form = await openAddForm(page);
  await form.getByLabel('Name').fill('shared');
  await form.getByLabel('URL').fill(server.url);
  await form.getByLabel('URL').press('Enter');
  await expect(form.getByRole('status')).toContainText('It returned 7 tools.');
  const row = page.getByTestId('mcp-server-shared');
  await row.locator('summary').first().click();

  const others = await page.context().newPage();
  await others.goto('/settings');
  const theirs = others.getByTestId('mcp-server-shared');
  await theirs.locator('summary').first().click();
  await expect(async () => {
    await theirs.getByLabel('URL').fill(`${server.url}/moved`);
    await theirs.getByRole('button', { name: 'Save' }).click({ timeout: 2_000 });
    await expect(theirs.locator('summary').first()).toContainText('/moved', { timeout: 2_000 });
  }).toPass();

  await row.getByRole('button', { name: 'Add headers' }).click();
  await row.getByLabel('Header', { exact: true }).fill('X-Key');
  await row.getByLabel('Value').fill(KEY);
  await row.getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText(`Someone changed it to ${server.url}/moved while you were editing.`);
  await expect(row.getByLabel('URL')).toHaveValue(server.url);
  await expect(row.getByLabel('Header', { exact: true })).toHaveValue('X-Key');
  await expect(row.getByLabel('Value')).toHaveValue(KEY);
  await row.getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText('Sent with every request: X-Key, ends in 5512.');
  await expect(row.getByLabel('URL')).toHaveValue(server.url);
  await server.close();
});
