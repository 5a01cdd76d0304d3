import { expect, type Locator, type Page } from '@playwright/test';

/** Returns a collapsible section of the experiment form by its title. */
export function formPart(page: Page, title: string): Locator {
  return page.locator('details[data-slot="fold"]').filter({ has: page.getByText(title, { exact: true }) });
}

/** Expands a section of the experiment form. The browser handles a click before hydration. */
export async function openPart(page: Page, title: string): Promise<void> {
  const part = formPart(page, title).first();
  if ((await part.getAttribute('open')) === null) await part.locator('summary').first().click();
}

/** Chooses a template for a new experiment. Retries, because a selection before hydration is lost. */
export async function chooseTemplate(page: Page, label: string): Promise<void> {
  await expect(async () => {
    await page.getByLabel('Start from').selectOption('Your own prompt');
    await page.getByLabel('Start from').selectOption(label);
    await expect(formPart(page, 'Criteria').first().locator('summary').first()).toContainText('customized', {
      timeout: 2_000,
    });
  }).toPass();
}
