import type { Browser, Page } from '@playwright/test';
import { openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { excessWidth, violationsInBothThemes, violationsInDarkTheme, violationsOn } from './axe.ts';
import { type Stage, type StagedPage, stagePages } from './screenshots/stage-pages.ts';

let stage: Stage;
test.beforeAll(async ({ app }) => {
  test.setTimeout(180_000);
  stage = await stagePages(openApi(app.address));
});
test.afterAll(() => stage.stop());

/**
 * 640 px equals 1280 px at 200% zoom. Contrast does not depend on width, so narrow pages are checked in the dark theme only and wide pages
 * in both.
 */
test('axe finds no issues at 1440 px (both themes) and 375 px (dark); no horizontal scrolling at 320, 375 and 640 px', async ({
  app,
  browser,
}) => {
  test.setTimeout(600_000);
  const found: string[] = [];
  await eachPage(browser, { pages: stage.pages, address: app.address }, async (page, { name }) => {
    for (const complaint of await violationsOn(page)) found.push(`${name}: ${complaint}`);
    for (const complaint of await violationsInDarkTheme(page)) found.push(`${name}: ${complaint}`);
    for (const width of [320, 640, 375]) {
      await page.setViewportSize({ width, height: 800 });
      const excess = await excessWidth(page);
      if (excess > 0) found.push(`${name} at ${width} px: ${excess} px too wide`);
    }
    for (const complaint of await violationsOn(page)) found.push(`${name} at 375 px: ${complaint}`);
  });
  expect(found).toEqual([]);
});

test('axe finds no issues in dialogs, menus and form errors', async ({ app, browser }) => {
  test.setTimeout(360_000);
  const found: string[] = [];
  await eachPage(browser, { pages: stage.opened, address: app.address }, async (page, { name }) => {
    for (const complaint of await violationsInBothThemes(page)) found.push(`${name}: ${complaint}`);
  });
  expect(found).toEqual([]);
});

test('axe finds no issues in the narrow menu, which closes on an outside click', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto('/experiments');
  await page.getByLabel('Menu', { exact: true }).filter({ visible: true }).click();
  const navigation = page.getByRole('navigation', { name: 'Main, narrow' });
  await expect(navigation).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  // Clicks before hydration are lost.
  await expect(async () => {
    await page.mouse.click(370, 500);
    await expect(navigation).toBeHidden({ timeout: 1_000 });
  }).toPass();
});

test('scrolls the selected tab into view if it does not fit in the window', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto('/settings/backup');
  const tab = page.getByRole('navigation', { name: 'Settings', exact: true }).getByRole('link', { name: 'Backup' });
  await expect(tab).toHaveAttribute('aria-current', 'page');
  // Excludes its bottom border, which overlaps the edge of the bar.
  await expect(tab).toBeInViewport({ ratio: 0.95 });
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
});

const WIDE = { width: 1440, height: 800 };
type View = { pages: StagedPage[]; address: string };

async function eachPage(
  browser: Browser,
  { pages, address }: View,
  look: (page: Page, staged: StagedPage) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({
    viewport: WIDE,
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  for (const staged of pages) {
    await page.setViewportSize(WIDE);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(address + staged.path, { waitUntil: 'load' });
    await expect(page.locator('h1').filter({ visible: true }).first()).toBeVisible();
    // Charts render after their container is measured. A live page never stops changing.
    if (staged.isLive) await page.waitForTimeout(1_500);
    else await page.evaluate(unchangedFor, 60);
    await staged.act?.(page);
    await look(page, staged);
  }
  await context.close();
}

/** Runs in the page: waits until the DOM has not changed for `quietMs` milliseconds, at most one second. */
function unchangedFor(quietMs: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      observer.disconnect();
      resolve();
    };
    let quiet = setTimeout(end, quietMs);
    const observer = new MutationObserver(() => {
      clearTimeout(quiet);
      quiet = setTimeout(end, quietMs);
    });
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    setTimeout(end, 1_000);
  });
}
