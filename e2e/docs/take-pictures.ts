import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from '@playwright/test';
// Installed as a dependency of Next.
import sharp from 'sharp';
import { runsSchema } from '#lib/api/runs-schema.ts';
import { openApi } from '../api/open-api.ts';
import { waitForSamples } from '../screenshots/stage-pages.ts';

const FOLDER = path.resolve('docs/pictures');
const SIZE = { width: 1200, height: 760 };
/** Size of the copies for phones in relation to the picture. */
const NARROW = 0.6;

/** Page of the samples to capture, with an optional action to perform first. */
type Picture = { name: string; path: string; act?: (page: Page) => Promise<void> };

/** Takes the light and dark pictures for the docs and the README from a Hone instance that contains only its samples. */
export async function takeDocPictures(browser: Browser, address: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const pictures = await picturesOf(address);
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ viewport: SIZE, colorScheme, reducedMotion: 'reduce' });
    const page = await context.newPage();
    for (const { name, path: at, act } of pictures) {
      await page.goto(`${address}${at}`, { waitUntil: 'load' });
      await page.evaluate(() => document.fonts.ready);
      await act?.(page);
      await page.waitForTimeout(1_000);
      await writePicture(await page.screenshot(), path.join(FOLDER, `${name}-${colorScheme}`));
    }
    await context.close();
  }
}

/** Writes a picture and its smaller copy for phones. At the full size, a lossy WebP would be larger than the PNG. */
async function writePicture(screenshot: Buffer, file: string): Promise<void> {
  await sharp(screenshot).png({ palette: true, colours: 128, effort: 10 }).toFile(`${file}.png`);
  await sharp(screenshot)
    .resize({ width: SIZE.width * NARROW })
    .webp({ quality: 60, effort: 6 })
    .toFile(`${file}-narrow.webp`);
  console.log(`${file}.png`);
}

async function picturesOf(address: string): Promise<Picture[]> {
  const api = openApi(address);
  await waitForSamples(api);
  const { items } = await api.read(runsSchema, 'GET', '/api/v1/runs?limit=100');
  const sample = (name: string) => {
    const run = items.find(({ experimentName }) => experimentName.startsWith(name));
    if (run === undefined) throw new Error(`there is no run of the sample ${name}`);
    return run;
  };
  return [
    { name: 'run', path: `/runs/${sample('Help texts, revised').id}?view=diff` },
    { name: 'review', path: `/inbox?item=${sample('Help texts, a person').id}` },
    { name: 'tuning', path: `/runs/${sample('Support mail').id}` },
    { name: 'lessons', path: `/experiments/${sample('Mental arithmetic').experimentId}` },
    { name: 'new-experiment', path: '/experiments/new', act: fillNewExperiment },
    // Last, because the counts on the home page lag by a few seconds.
    { name: 'home', path: '/' },
  ];
}

async function fillNewExperiment(page: Page): Promise<void> {
  await page.getByLabel('Prompt', { exact: true }).fill('Summarize the support ticket in one sentence: {{input}}');
  await page.getByLabel('Input', { exact: true }).fill('Our webhooks arrive twice since Monday. What changed?');
}
