import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { startedSchema } from '#lib/api/experiments-schema.ts';
import { decidedSchema } from '#lib/api/runs-schema.ts';
import { type Api, openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { excessWidth, violationsInBothThemes } from './axe.ts';

/** Right-to-left name that is far too long for one line. */
const NAME = `תקצירים של מסמכים ארוכים ${'מאוד '.repeat(12)}בשתי שפות, English too`;

async function endedExperiment(api: Api, name: string): Promise<{ experiment: string; runs: string[] }> {
  const experiment = await api.createExperiment({ name, maxIterations: 2 });
  const { runIds } = await api.read(startedSchema, 'POST', `/api/v1/experiments/${experiment}/runs`, {
    cases: ['Explain how tides work.', 'Explain how kites fly.', 'Explain how locks open.'].map((input) => ({ input })),
  });
  for (const id of runIds) await api.waitForRun(id, ['finished']);
  return { experiment, runs: runIds };
}

/** Saves a chart of the page as a picture in both formats. */
async function savedPicture(page: Page, name: string): Promise<{ png: Buffer; svg: string }> {
  await page.getByRole('button', { name: `Save picture of ${name}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Save picture' });
  await expect
    .poll(() =>
      dialog.getByRole('img').evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0)),
    )
    .toBeGreaterThan(400);
  const save = async (format: 'PNG' | 'SVG') => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: `Download ${format}` }).click(),
    ]);
    return readFile(await download.path());
  };
  const [png, svg] = [await save('PNG'), await save('SVG')];
  expect(await violationsInBothThemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
  return { png, svg: svg.toString('utf8') };
}

test('charts are saved as self-contained pictures, and the report prints no cut-off chart', async ({ page, app }) => {
  test.setTimeout(120_000);
  const api = openApi(app.address);
  const { experiment, runs } = await endedExperiment(api, NAME);
  const { experiment: other } = await endedExperiment(api, 'The same again');

  for (const { path, name, says } of [
    { path: `/experiments/${experiment}`, name: 'the solve curve', says: /n = 3 cases.*95% interval/s },
    { path: `/runs/${runs[0]}`, name: 'the score by version', says: /threshold of 0\.\d+.*n = 1 run/s },
    { path: `/compare?of=${experiment},${other}`, name: 'B against A', says: /n = 3 cases in both/ },
  ]) {
    await page.goto(path);
    const { png, svg } = await savedPicture(page, name);
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(png.length).toBeGreaterThan(5_000);
    expect(svg).toMatch(says);
    expect(svg).toContain('@font-face');
    expect(svg).toContain('Hone · Practice data');
    expect(svg).not.toMatch(/var\(--|class="/);
  }

  await page.goto(`/experiments/${experiment}`);
  await expect(page.getByRole('button', { name: 'Print report' })).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  // Printable width of A4, applied to a page that was rendered for a wide window.
  await page.setViewportSize({ width: 703, height: 1000 });
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll('.recharts-wrapper > svg, svg[data-slot="chart"]')]
      .map((chart) => chart.getBoundingClientRect())
      .filter(({ right, width }) => width > 0 && right > document.documentElement.clientWidth),
  );
  expect(cut).toEqual([]);
  expect(await excessWidth(page)).toBe(0);
  await expect(page.getByRole('button', { name: 'Print report' })).toBeHidden();
});

test('a chart that becomes interactive before the code of its picture is loaded is saved as shown', async ({
  page,
  app,
}) => {
  const { experiment } = await endedExperiment(openApi(app.address), 'Drawn late');
  await page.goto(`/experiments/${experiment}`);
  const button = page.getByRole('button', { name: 'Save picture of the solve curve' });
  const interactive = page.locator('[data-slot="pane"]').filter({ has: button }).locator('.recharts-wrapper');
  await expect(interactive).toBeHidden();
  let isDelayed = false;
  await page.route('**/_next/static/**/*.js', async (route) => {
    const response = await route.fetch();
    // The choices of the opened dialog contain the same code.
    if (!isDelayed && (await response.text()).includes('text{font-variant-numeric:tabular-nums}')) {
      isDelayed = true;
      await interactive.waitFor();
    }
    await route.fulfill({ response });
  });
  const { svg } = await savedPicture(page, 'the solve curve');
  expect(isDelayed).toBe(true);
  expect(svg).toMatch(/<(?:path|line|circle)[^>]* stroke-width="/);
});

test('a human score is shown next to the machine score, and no text contradicts it', async ({ page, app }) => {
  const api = openApi(app.address);
  const { runs } = await endedExperiment(api, 'Overridden');
  const [runId = ''] = runs;
  const before = await api.waitForRun(runId, ['finished']);
  const version = before.finalVersion ?? 0;
  const wasSolved = before.success;
  await api.read(decidedSchema, 'POST', `/api/v1/runs/${runId}/decisions`, {
    ...{ decision: 'override', version, score: wasSolved ? 0.05 : 0.97, reason: 'I read it myself' },
  });
  expect((await api.waitForRun(runId, ['finished'])).success).toBe(!wasSolved);
  await page.goto(`/runs/${runId}?v=${version}`);
  const row = page.getByTestId('version-list').locator(`tr[data-version="${version}"]`);
  await expect(row).toContainText(wasSolved ? '0.05' : '0.97');
  await expect(row).toContainText(/scored \d\.\d\d/);
  await expect(page.getByText(/^(not )?satisfactory$/)).toHaveCount(1);
  await expect(page.getByText(wasSolved ? 'not satisfactory' : 'satisfactory', { exact: true })).toBeVisible();
  await expect(page.getByText('not counted')).toHaveCount(1);
  expect(await violationsInBothThemes(page)).toEqual([]);
});

test('insights summarize each panel, show trends with n, and fit on a phone', async ({ page, app }) => {
  const api = openApi(app.address);
  const { experiment } = await endedExperiment(api, `${NAME} trends`);
  await page.goto(`/insights?of=${experiment}`);
  const trends = page.getByTestId('trends');
  await expect(trends.getByRole('heading', { name: 'Success rate by settings version' })).toBeVisible();
  await expect(trends.getByRole('heading', { name: 'Cost per run by week' })).toBeVisible();
  await expect(trends.locator('[data-slot="headline"]').first()).toContainText(/% \(n 3, .* under v1\./);
  await trends.getByText('Show statistics').first().click();
  await expect(trends.getByRole('row').filter({ hasText: 'v1' }).first()).toBeVisible();
  expect(await violationsInBothThemes(page)).toEqual([]);
  for (const width of [1440, 1100, 390]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await excessWidth(page)).toBe(0);
  }
});
