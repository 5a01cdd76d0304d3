import type { Locator, Page } from '@playwright/test';
import { expect } from './app.ts';

/** Returns the code editors of a page that have loaded. */
export function loadedEditor(page: Page): Locator {
  return page.locator('[data-slot="code-editor"] [data-loaded="true"]');
}

/** Moves the pointer until the page reacts, which loads its code editors. */
export async function loadEditor(page: Page): Promise<Locator> {
  const editor = loadedEditor(page);
  let x = 0;
  await expect(async () => {
    await page.mouse.move(++x, 1);
    await expect(editor.first()).toBeVisible({ timeout: 1_000 });
  }).toPass();
  return editor;
}
