import type { Locator, Page } from '@playwright/test';
import { expect } from './app.ts';

/** Presses a key until it is heard: before the page's scripts run, keys are lost. */
export async function pressUntil(page: Page, key: string, there: Locator): Promise<void> {
  await expect(async () => {
    await page.keyboard.press(key);
    await expect(there).toBeVisible({ timeout: 1_000 });
  }).toPass();
}
