import { runSchema } from '#lib/api/runs-schema.ts';
import { openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { excessWidth, violationsInBothThemes } from './axe.ts';
import { clickUntil } from './press-until.ts';

const SETTINGS = { maxIterations: 2, qualityThreshold: 1, convergence: null };

test('branches an ended run from a version as a separate run; both pages link to each other', async ({ page, app }) => {
  const api = openApi(app.address);
  const runId = await api.startRun(await api.createExperiment(SETTINGS), 'Explain how our rate limits work.');
  const source = await api.waitForRun(runId, ['finished']);
  await page.goto(`/runs/${runId}?v=1`);
  const dialog = page.getByRole('dialog', { name: 'Branch from v1' });
  await clickUntil(page.getByRole('button', { name: 'Branch v1' }), dialog);
  await expect(dialog).toContainText('The draft is free');
  expect(await violationsInBothThemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Start branch' }).click();
  await page.waitForURL((url) => url.pathname.startsWith('/runs/') && !url.pathname.includes(runId));
  const branchId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const branch = await api.waitForRun(branchId, ['finished']);
  expect(branch).toMatchObject({ branchedFrom: { runId, number: source.number, version: 1 }, iterationsUsed: 2 });
  expect(branch.versions[0]).toMatchObject({ origin: 'branched', output: source.versions[1]?.output, costUsd: 0 });

  await page.reload();
  await expect(page.getByTestId('version-list')).toContainText('branched');
  await page.setViewportSize({ width: 375, height: 800 });
  expect(await excessWidth(page)).toBe(0);
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page
    .getByTestId('branches')
    .getByRole('link', { name: /^v1 of run/ })
    .click();
  await page.waitForURL(new RegExp(`/runs/${runId}`));
  await expect(page.getByTestId('branches').getByRole('link')).toHaveText(/^run \d+ from v1$/);
  expect(await api.read(runSchema, 'GET', `/api/v1/runs/${runId}`)).toEqual(source);
});
