import type { Page } from '@playwright/test';

/** Longer than the undo time of a decision, in milliseconds. */
const UNDO_MS = 8_500;
/** Time to wait for a request that must not be sent, in milliseconds. */
const UNSENT_MS = 500;

/** Advances the clock past the undo time and waits for the requests that follow. Requires `page.clock.install()` before the page loads. */
export async function passUndoTime(page: Page): Promise<void> {
  await page.clock.fastForward(UNDO_MS);
  await page.waitForTimeout(UNSENT_MS);
}
