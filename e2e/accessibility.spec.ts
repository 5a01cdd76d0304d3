import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from '@playwright/test';
import { openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { type Stage, type StagedPage, stagePages } from './look/stage-pages.ts';

test.describe.configure({ mode: 'serial' });

let stage: Stage;
test.beforeAll(async ({ app }) => {
  test.setTimeout(180_000);
  stage = await stagePages(openApi(app.address));
});
test.afterAll(() => stage.stop());

/** What the theme can change; the rest is the same in both. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1440, 375]) {
    test(`axe finds nothing on any page, ${colorScheme}, ${width} px wide`, async ({ app, browser }) => {
      test.setTimeout(240_000);
      const complaints: string[] = [];
      await eachPage(browser, { width, colorScheme, address: app.address }, async (page, { name }) => {
        const axe = new AxeBuilder({ page });
        const { violations } = await (colorScheme === 'light'
          ? axe.withTags(RULES)
          : axe.withRules(COLOUR_RULES)
        ).analyze();
        for (const { id, nodes } of violations)
          complaints.push(`${name}: ${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
      });
      expect(complaints).toEqual([]);
    });
  }
}

/** 640 px is a page of 1280 px at 200 % zoom. */
test('no page scrolls sideways at 320, 375 and 640 px', async ({ app, browser }) => {
  test.setTimeout(240_000);
  const wide: string[] = [];
  await eachPage(browser, { width: 640, colorScheme: 'light', address: app.address }, async (page, { name }) => {
    for (const width of [640, 375, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await page.waitForTimeout(100);
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (excess > 0) wide.push(`${name} at ${width} px: ${excess} px too wide`);
    }
    await page.setViewportSize({ width: 640, height: 800 });
  });
  expect(wide).toEqual([]);
});

test('axe finds nothing on the command menu, the keys, the narrow menu and a question in front of the page', async ({
  page,
}) => {
  const waiting = stage.pages.find(({ name }) => name === 'run-waiting');
  await page.goto(waiting?.path ?? '');
  await page.getByRole('button', { name: 'Search or go to' }).first().click();
  await expect(page.getByRole('dialog', { name: 'Command menu' }).getByText('Latest runs')).toBeVisible();
  await expectNoComplaint(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await expectNoComplaint(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('o');
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectNoComplaint(page);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 375, height: 800 });
  await page.getByLabel('Menu', { exact: true }).click();
  await expectNoComplaint(page);
});

async function expectNoComplaint(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)).toEqual(
    [],
  );
}

type View = { width: number; colorScheme: 'light' | 'dark'; address: string };

async function eachPage(
  browser: Browser,
  { width, colorScheme, address }: View,
  look: (page: Page, staged: StagedPage) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  for (const staged of stage.pages) {
    await page.goto(address + staged.path, { waitUntil: 'load' });
    await expect(page.locator('h1').first()).toBeVisible();
    // Charts are drawn once their place is measured.
    await page.waitForTimeout(staged.isLive ? 1_500 : 250);
    await look(page, staged);
  }
  await context.close();
}
