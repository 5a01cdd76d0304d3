import { expect, type Locator, type Page } from '@playwright/test';

/** Opens the form that adds a provider and selects a custom server. Retries, because a selection before hydration is lost. */
export async function openProviderForm(page: Page): Promise<Locator> {
  await page.goto('/models');
  const form = page.getByRole('form', { name: 'Add provider' });
  await expect(async () => {
    await form.getByLabel('Provider').selectOption({ label: 'Any OpenAI-compatible server' });
    await expect(form.getByLabel('Name')).toHaveValue('', { timeout: 500 });
  }).toPass();
  return form;
}
