import type { Page } from '@playwright/test';
import { openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { excessWidth, violationsInBothThemes } from './axe.ts';
import { openPart } from './open-part.ts';
import { openSampleRun } from './open-sample-run.ts';
import { clickUntil } from './press-until.ts';

async function openWhatIf(page: Page) {
  const panel = page.getByRole('region', { name: 'What if' });
  await clickUntil(page.getByRole('button', { name: 'What if', exact: true }), panel);
  return panel;
}

test('what if by keyboard: no change at first, a lower threshold stops earlier, the URL keeps it', async ({ page }) => {
  await openSampleRun(page);
  const panel = await openWhatIf(page);
  const answer = panel.getByTestId('what-if-answer');
  await expect(answer).toContainText('Change a setting to see');

  const threshold = panel.getByRole('slider', { name: 'Quality threshold, slider' });
  await threshold.focus();
  await page.keyboard.press('Home');
  await expect(panel.getByLabel('Quality threshold 0 to 1')).toHaveValue('0');
  await page.keyboard.press('End');
  await expect(panel.getByLabel('Quality threshold 0 to 1')).toHaveValue('1');
  await expect(answer).toContainText(/No results are stored after version \d|would have stopped/);

  await panel.getByLabel('Quality threshold 0 to 1').fill('0.5');
  for (const name of ['clarity', 'coherence', 'completeness', 'tone'])
    await panel.getByLabel(`Threshold of ${name}`).fill('0');
  await expect(answer).toContainText('The run would have stopped at v1 and returned v1.');
  await expect(page.getByRole('figure', { name: /What if: The run would have stopped at v1/ })).toBeVisible();
  // Waits until the URL is complete, because it is updated with a delay.
  await expect(page).toHaveURL(/whatif=quality(:|%3A)0\.5(.*threshold\.\d(:|%3A)0){4}/);

  await page.reload();
  await expect(page.getByTestId('what-if-answer')).toContainText('The run would have stopped at v1');
  await panel.getByRole('radio', { name: 'Latest' }).click();
  await expect(page).toHaveURL(/best(:|%3A)latest/);
  await panel.getByRole('button', { name: 'Reset' }).click();
  await expect(answer).toContainText('Change a setting to see');
  await panel.getByRole('button', { name: 'Close what-if' }).click();
  await expect(panel).toBeHidden();
  await expect(page).not.toHaveURL(/whatif/);
});

test('reports that no results are stored beyond the last version', async ({ page }) => {
  await openSampleRun(page);
  await page.goto(`${page.url().split('?')[0]}?whatif=quality:1~cap:50~early:off`);
  await expect(page.getByTestId('what-if-answer')).toContainText(
    /The run would have continued. No results are stored after version \d+\./,
  );
});

test('copying the link reports a missing clipboard, as on plain HTTP', async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await openSampleRun(page);
  const panel = await openWhatIf(page);
  await panel.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText('The browser blocked copying', { exact: true })).toBeVisible();
});

test('axe finds no violations on the panel in both themes and at 375 px, without horizontal scrolling', async ({
  page,
}) => {
  await openSampleRun(page);
  const address = `${page.url().split('?')[0]}?whatif=quality:0.5~weight.0:2`;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const width of [1440, 375]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(address);
    await expect(page.getByTestId('what-if-answer')).toBeVisible();
    await page.waitForTimeout(300);
    expect(await violationsInBothThemes(page)).toEqual([]);
    expect(await excessWidth(page)).toBe(0);
  }
});

test('re-scoring a version shows the price first, then the spread in words, and lists its calls', async ({
  page,
  app,
}) => {
  await openSampleRun(page);
  const runId = /runs\/([0-9a-f-]+)/.exec(page.url())?.[1] ?? '';
  const { call } = openApi(app.address);
  const before = (await call('GET', `/api/v1/runs/${runId}`)).body;
  await page.getByRole('button', { name: 'v1, show this version' }).click();
  await expect(page.getByText(/about 5 calls, [\d,]+ tokens/)).toBeVisible();
  await page.getByRole('button', { name: 'Re-score v1' }).click();
  const report = page.getByTestId('rescore-report');
  await expect(report).toContainText(/5 within 0\.10 of the first/, { timeout: 30_000 });
  await expect(report.getByRole('row', { name: /^Overall/ })).toContainText('5 of 5');
  expect((await call('GET', `/api/v1/runs/${runId}`)).body).toEqual(before);

  await page.getByRole('link', { name: 'Prompts and calls of v1' }).click();
  await expect(page).toHaveURL(/calls\?version=1/);
  await expect(page.getByText(/^v1\s· re-score/)).toHaveCount(5);
});

test('a requested reflection is listed among the critiques with its trigger', async ({ page }) => {
  await openSampleRun(page);
  const reflect = page.getByRole('button', { name: /^Reflect on v\d now$/ });
  const byHand = page.getByRole('heading', { name: 'Requested critique' });
  // A click before hydration is lost, but a successful one must not be repeated, because each is a model call.
  await expect(async () => {
    if ((await byHand.count()) === 0) await reflect.click();
    await expect(byHand).toHaveCount(1, { timeout: 20_000 });
  }).toPass();
});

test('edited weights preview their effect on the stored scores before saving', async ({ page }) => {
  await openSampleRun(page);
  await page.getByRole('navigation', { name: 'Path' }).getByRole('link').nth(1).click();
  await page.getByRole('link', { name: 'Change settings' }).click();
  await page.waitForURL(/\/edit/);
  const effect = page.getByTestId('scoring-effect');
  await expect(async () => {
    await openPart(page, 'Criteria');
    await page.getByLabel('Quality threshold').fill('0.1');
    await expect(effect).toContainText(/satisfactory/, { timeout: 2_000 });
    await page.getByLabel('Quality threshold').fill('1');
    await expect(effect).toContainText(/fewer would be satisfactory|The number of satisfactory/, { timeout: 2_000 });
  }).toPass();
  await expect(effect).toContainText(/stored scores of \d+ runs? in the latest batch/);
});
