import { openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { excessWidth } from './axe.ts';
import { type ExtremeStage, stageExtremes } from './screenshots/stage-extremes.ts';
import { startApp } from './start-app.ts';

test('the longest names, texts and lists cause no horizontal scrolling', async ({ page }) => {
  test.setTimeout(240_000);
  const app = await startApp();
  let stage: ExtremeStage | null = null;
  try {
    stage = await stageExtremes(openApi(app.address));
    const wide: string[] = [];
    for (const { name, path } of stage.pages) {
      await page.setViewportSize({ width: 1440, height: 900 });
      const response = await page.goto(`${app.address}${path}`);
      expect({ path, status: response?.status() }).toEqual({ path, status: 200 });
      for (const width of [1440, 375]) {
        await page.setViewportSize({ width, height: 900 });
        const excess = await excessWidth(page);
        if (excess > 0) wide.push(`${name} (${path}) at ${width}: ${excess} px`);
      }
    }
    expect(wide).toEqual([]);

    await page.setViewportSize({ width: 1440, height: 900 });
    const { pages } = stage;
    const open = (name: string) =>
      page.goto(`${app.address}${pages.find((staged) => staged.name === name)?.path ?? '/missing'}`);
    await test.step('a long case is collapsed until it is opened', async () => {
      await open('extreme-dataset');
      const row = page.getByTestId('cases').locator('tbody tr[data-index="1"]');
      const height = async () => (await row.boundingBox())?.height ?? 0;
      await expect(row.getByRole('button', { name: 'Edit case 2' })).toBeInViewport();
      const closed = await height();
      expect(closed).toBeGreaterThan(0);
      const toggle = row.getByRole('button', { name: /^Show/ }).first();
      await expect(async () => {
        if ((await toggle.textContent())?.startsWith('Show all')) await toggle.click();
        await expect(toggle).toContainText('Show less', { timeout: 2_000 });
      }).toPass();
      expect(await height()).toBeGreaterThan(closed);
    });
    await test.step('a run with 200 lessons shows the first ten until all are opened', async () => {
      await open('extreme-run-imported');
      const lessons = page.getByTestId('run-lessons').getByRole('link', { name: 'In the library' });
      await expect(lessons).toHaveCount(10);
      await page.getByRole('button', { name: 'Show all 200', exact: true }).click();
      await expect(lessons).toHaveCount(200);
    });
  } finally {
    await Promise.allSettled([stage?.stop(), app.stop()]);
  }
});
