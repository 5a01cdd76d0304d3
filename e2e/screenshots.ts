import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { readArguments } from '#lib/system/read-arguments.ts';
import { openApi } from './api/open-api.ts';
import { findBrowser } from './browser.ts';
import { takeDocPictures } from './docs/take-pictures.ts';
import { stageExtremes } from './screenshots/stage-extremes.ts';
import { type StagedPage, stagePages } from './screenshots/stage-pages.ts';
import { startApp } from './start-app.ts';

const HELP = `npm run screenshots -- [folder] [flags]
Takes pictures of every page, 1440 and 375 px wide, in light and dark.

  folder                where to save them (default: a new temporary folder)
  --only name,name      take only the pictures with these names
  --address URL         use the Hone at this address and add sample runs to it (default: start a new one)
  --extremes            take pages with the longest names, texts and lists instead
  --docs                take the pictures of the docs and the README instead`;

const { values, operands: positionals } = readArguments(HELP, {
  operands: [0, 1],
  options: {
    only: { type: 'string' },
    address: { type: 'string' },
    docs: { type: 'boolean' },
    extremes: { type: 'boolean' },
  },
});
await takeScreenshots();

async function takeScreenshots(): Promise<void> {
  const app = values.address === undefined ? await startApp({ readyWithinMs: 900_000 }) : null;
  const address = values.address ?? app?.address ?? '';
  const browser = await chromium.launch(await findBrowser());
  try {
    if (values.docs) await takeDocPictures(browser, address);
    else if (values.extremes) await takeExtremes(browser, address);
    else await takeAll(browser, address);
  } finally {
    await browser.close();
    await app?.stop();
  }
}

async function takeAll(browser: Browser, address: string): Promise<void> {
  const stage = await stagePages(openApi(address));
  try {
    await takePages(browser, address, [...stage.pages, ...stage.opened]);
  } finally {
    await stage.stop();
  }
}

async function takeExtremes(browser: Browser, address: string): Promise<void> {
  const stage = await stageExtremes(openApi(address));
  try {
    await takePages(browser, address, stage.pages);
  } finally {
    await stage.stop();
  }
}

async function takePages(browser: Browser, address: string, pages: StagedPage[]): Promise<void> {
  const folder = positionals[0] ?? mkdtempSync(path.join(tmpdir(), 'hone-pictures-'));
  mkdirSync(folder, { recursive: true });
  const only = values.only?.split(',');
  for (const width of [1440, 375]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ viewport: windowOf(width), colorScheme });
      const page = await context.newPage();
      for (const staged of pages.filter(({ name }) => only === undefined || only.includes(name))) {
        await page.setViewportSize(windowOf(width));
        await settle(page, `${address}${staged.path}`, staged.isLive ?? false);
        if (staged.act) {
          await staged.act(page);
          await page.waitForTimeout(250);
        } else {
          // Uses the full height of the content, so that sticky elements appear at its end.
          const height = await page.evaluate(() => document.documentElement.scrollHeight);
          await page.setViewportSize({ width, height: Math.min(Math.max(height, windowOf(width).height), 6_000) });
          await page.waitForTimeout(150);
        }
        await page.screenshot({
          path: path.join(folder, `${staged.name}-${width}-${colorScheme}.png`),
          fullPage: staged.act === undefined,
        });
        if (staged.act) await undoDraft(page);
      }
      await context.close();
    }
  }
  console.log(folder);
}

/** Undoes a pending action, because leaving the page would send it. */
async function undoDraft(page: Page): Promise<void> {
  const undo = page.getByRole('button', { name: /^Undo/ });
  if (await undo.isVisible()) await undo.click();
}

function windowOf(width: number): { width: number; height: number } {
  return { width, height: width === 375 ? 812 : 900 };
}

/** Waits until scripts, fonts and charts have loaded. A live page never stops loading, so it gets a fixed time. */
async function settle(page: Page, address: string, isLive: boolean): Promise<void> {
  await page.goto(address, { waitUntil: 'load' });
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(isLive ? 4_000 : 700);
}
