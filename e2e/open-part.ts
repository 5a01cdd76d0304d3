import { expect, type Locator, type Page } from '@playwright/test';

/** A folded part of the experiment form, by its title. */
export function formPart(page: Page, title: string): Locator {
  return page.locator('details[data-slot="fold"]').filter({ has: page.getByText(title, { exact: true }) });
}

/** Opens a folded part of the experiment form. A click before the page's scripts run is kept by the browser. */
export async function openPart(page: Page, title: string): Promise<void> {
  const part = formPart(page, title).first();
  if ((await part.getAttribute('open')) === null) await part.locator('summary').first().click();
}

/** Starts the form of a new experiment from a template. What is chosen before the page's scripts run is lost. */
export async function chooseTemplate(page: Page, label: string): Promise<void> {
  await expect(async () => {
    await page.getByLabel('Start from').selectOption('Your own prompt');
    await page.getByLabel('Start from').selectOption(label);
    await expect(formPart(page, 'Criteria').first().locator('summary').first()).toContainText('changed', {
      timeout: 2_000,
    });
  }).toPass();
}
