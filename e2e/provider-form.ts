import { expect, type Locator, type Page } from '@playwright/test';

/** Opens the form that adds a provider, with a server of one's own chosen. A choice made before the page's scripts run is lost. */
export async function openProviderForm(page: Page): Promise<Locator> {
  await page.goto('/models');
  const form = page.getByRole('form', { name: 'Add provider' });
  await expect(async () => {
    await form.getByLabel('Provider').selectOption({ label: 'Any OpenAI-compatible server' });
    await expect(form.getByLabel('Name')).toHaveValue('', { timeout: 500 });
  }).toPass();
  return form;
}
