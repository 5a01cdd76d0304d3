import type { Locator, Page } from '@playwright/test';
import { expect } from './app.ts';

/**
 * Repeats a key press until it works, because keys pressed before hydration are lost. Checks before each repetition, because a dialog that
 * opened slowly would receive the key as text.
 */
export async function pressUntil(page: Page, key: string, there: Locator): Promise<void> {
  let isPressed = false;
  await expect(async () => {
    if (!isPressed || (await there.isHidden())) await page.keyboard.press(key);
    isPressed = true;
    await expect(there).toBeVisible({ timeout: 1_000 });
  }).toPass();
}
