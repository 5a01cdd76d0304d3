import type { Locator, Page } from '@playwright/test';
import { expect } from './app.ts';

/** Repeats a key press until it works, because keys pressed before hydration are lost. */
export async function pressUntil(page: Page, key: string, there: Locator): Promise<void> {
  await expect(async () => {
    await page.keyboard.press(key);
    await expect(there).toBeVisible({ timeout: 1_000 });
  }).toPass();
}
