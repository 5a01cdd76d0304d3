import { openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { createProvider } from './create-provider.ts';

test('a filled model field lists all models, and the keyboard chooses one or keeps any text', async ({ page, app }) => {
  const price = { inputPerMillionUsd: 1, outputPerMillionUsd: 1 };
  const prices = { 'alpha-1': price, 'alpha-2': price, 'other-1': price };
  await createProvider(openApi(app.address), { name: 'listed', baseUrl: 'http://127.0.0.1:9/v1', prices });
  await page.goto('/experiments/new');
  await page.getByRole('combobox', { name: 'Provider', exact: true }).selectOption('listed');
  const field = page.getByRole('combobox', { name: 'Model', exact: true });
  await expect(field).toHaveValue('alpha-1');
  await field.press('ArrowDown');
  const options = page.getByRole('listbox', { name: 'Model', exact: true }).getByRole('option');
  await expect(options).toHaveText(['alpha-1', 'alpha-2', 'other-1']);
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  await field.press('Home');
  await field.press('End');
  await expect(field).toHaveAttribute('aria-activedescendant', (await options.last().getAttribute('id')) ?? '');
  await field.press('Enter');
  await expect(field).toHaveValue('other-1');
  await expect(options).toHaveCount(0);
  await expect(page).toHaveURL(/\/experiments\/new/);

  await field.fill('ALPHA');
  await expect(options).toHaveText(['alpha-1', 'alpha-2']);
  await field.fill('another-model');
  await expect(field).toHaveAttribute('aria-expanded', 'false');
  await field.press('Tab');
  await expect(field).toHaveValue('another-model');
});

test('Escape closes the list before the dialog', async ({ page, app }) => {
  const api = openApi(app.address);
  await api.call('POST', '/api/v1/prompts', { name: 'boxes', text: 'Say {{input}}' });
  await page.goto('/prompts/boxes');
  await page.getByRole('button', { name: 'Edit setup' }).click();
  const dialog = page.getByRole('dialog');
  const field = dialog.getByRole('combobox', { name: /^Model/ });
  await field.click();
  const list = dialog.getByRole('listbox', { name: /^Model/ });
  await expect(list).toBeVisible();
  await field.press('Escape');
  await expect(list).toBeHidden();
  await expect(dialog).toBeVisible();
  await field.press('Escape');
  await expect(dialog).toBeHidden();
});

test('the keyboard chooses an option in browsers without popovers', async ({ page }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(HTMLElement.prototype, 'showPopover');
  });
  await page.goto('/lessons/new');
  const field = page.getByRole('combobox', { name: 'Task type' });
  await field.press('ArrowDown');
  await field.press('Enter');
  await expect(field).not.toHaveValue('');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 700 }, hasTouch: true });

  test('a tap opens the whole list within the page and another one chooses', async ({ page }) => {
    await page.goto('/lessons/new');
    const field = page.getByRole('combobox', { name: 'Task type' });
    await field.tap();
    const list = page.getByRole('listbox', { name: 'Task type' });
    await expect(list).toBeInViewport({ ratio: 1 });
    await list.getByRole('option').nth(1).tap();
    await expect(field).not.toHaveValue('');
    const chosen = await field.inputValue();
    await page.getByRole('button', { name: 'Show all options' }).tap();
    await expect(list.getByRole('option', { name: chosen, exact: true })).toHaveAttribute('aria-selected', 'true');
    expect(await list.getByRole('option').count()).toBeGreaterThan(2);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  });
});
