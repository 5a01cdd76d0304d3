import type { Page } from '@playwright/test';

/** Longer than a decision can be undone, in milliseconds. */
const UNDO_MS = 8_500;
/** For how long a request that must not be sent is waited for. */
const UNSENT_MS = 500;

/** Lets the time pass in which a decision can be undone, and what is sent then. `page.clock.install()` comes before the page. */
export async function passUndoTime(page: Page): Promise<void> {
  await page.clock.fastForward(UNDO_MS);
  await page.waitForTimeout(UNSENT_MS);
}
