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

/** Repeats a click until it works, because clicks before hydration are lost. A dialog that opened slowly would block another click. */
export async function clickUntil(button: Locator, there: Locator): Promise<void> {
  await expect(async () => {
    if (await there.isHidden()) await button.click({ timeout: 2_000 });
    await expect(there).toBeVisible({ timeout: 2_000 });
  }).toPass();
}

/** Moves to the next entry, which is number `next`, by keyboard. Moves back if a key that seemed lost was only slow. */
export async function moveTo(page: Page, position: Locator, next: number): Promise<void> {
  await expect(async () => {
    const at = Number.parseInt(await position.innerText(), 10);
    if (at !== next) await page.keyboard.press(at < next ? 'j' : 'k');
    await expect(position).toHaveText(new RegExp(`^${next} of`), { timeout: 3_000 });
  }).toPass();
}
