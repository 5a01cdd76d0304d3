import { runSchema } from '#lib/api/runs-schema.ts';
import { formatMoment, withLocalMoments } from '#lib/format.ts';
import { openApi } from './api/open-api.ts';
import { expect, test, whole } from './app.ts';
import { openSampleRun } from './open-sample-run.ts';
import { passUndoTime } from './pass-undo-time.ts';
import { pressUntil } from './press-until.ts';

test('the URL keeps the selected version, the diff and its layout across a reload', async ({ page }) => {
  await openSampleRun(page);
  await page.getByRole('button', { name: 'v1, show this version' }).click();
  await page.getByRole('radio', { name: 'Diff' }).click();
  await page.getByRole('radio', { name: 'Unified' }).click();
  await expect(page).toHaveURL(/v=1.*view=diff.*layout=unified/);
  await page.reload();
  const diff = page.getByRole('region', { name: 'Changes from version 0 to version 1' });
  await expect(diff.locator('ins').first()).toBeVisible();
  await expect(diff.locator('del').first()).toBeVisible();
  // Retries, because a selection before hydration is lost.
  await expect(async () => {
    await page.getByRole('combobox', { name: 'Compare version 1 with' }).selectOption({ label: 'v2' });
    await expect(page.getByRole('region', { name: 'Changes from version 2 to version 1' })).toBeVisible({
      timeout: 1_000,
    });
  }).toPass();
});

test('a waiting run takes a score and a verdict by keyboard; a late second decision shows the first one', async ({
  page,
  browser,
  app,
}) => {
  const api = openApi(app.address);
  const runId = await api.startRun(await api.createExperiment({ callbacks: { pause: 'before_finish' } }));
  await api.waitForRun(runId, ['waiting']);
  await page.clock.install();
  await page.goto(`/runs/${runId}`);
  await expect(page.getByTestId('decision-bar')).toBeVisible();
  const inKolkata = await browser.newContext({ timezoneId: 'Asia/Kolkata' });
  const second = whole(await inKolkata.newPage());
  await second.goto(page.url());
  await expect(second.getByTestId('decision-bar')).toBeVisible();

  const dialog = page.getByRole('dialog');
  await pressUntil(page, 'o', dialog);
  await dialog.getByLabel('Score', { exact: true }).fill('1.5');
  await dialog.getByRole('button', { name: 'Add score' }).click();
  await expect(dialog).toContainText('must be a number from 0 to 1');
  await dialog.getByLabel('Score', { exact: true }).fill('0.6');
  await dialog.getByRole('button', { name: 'Add score' }).click();
  await expect(dialog).toBeHidden();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByTestId('version-list').locator('tbody tr').first()).toContainText('0.60', {
    timeout: 15_000,
  });

  // Blocks all updates of the second page, as on a slow connection.
  await second.route(/\/api\/v1\/runs\/.*(?<!\/decisions)$/, () => {});
  // Shortcuts are disabled while the score is being sent.
  await pressUntil(page, 'a', page.getByText('Your draft'));
  // A decision is sent after its undo time.
  await passUndoTime(page);
  await expect(page.getByTestId('run-status')).toContainText('Accepted by a person', { timeout: 15_000 });
  await second.keyboard.press('c');
  const decided = second.getByText('This pause was decided already: accept');
  await expect(decided).toBeVisible({ timeout: 15_000 });
  const { decisions } = await api.read(runSchema, 'GET', `/api/v1/runs/${runId}`);
  const at = withLocalMoments(formatMoment(decisions.at(-1)?.at ?? ''), 'Asia/Kolkata');
  await expect(decided).toContainText(`${at}.`);
  await inKolkata.close();
});

test('actions on an ended run can be undone until they are sent', async ({ page, app }) => {
  const api = openApi(app.address);
  const runId = await api.startRun(await api.createExperiment({ maxIterations: 1, qualityThreshold: 1 }));
  await api.waitForRun(runId, ['finished']);
  await page.clock.install();
  await page.goto(`/runs/${runId}?v=0`);
  const toast = page.getByTestId('draft-toast');
  await page.getByRole('button', { name: 'Accept v0' }).click();
  await expect(toast).toContainText('Accept v0');
  await page.keyboard.press('z');
  await expect(toast).toBeHidden();
  await passUndoTime(page);
  expect((await api.read(runSchema, 'GET', `/api/v1/runs/${runId}`)).convergenceReason).toBe('max_iterations');
  await page.getByRole('button', { name: 'Accept v0' }).click();
  await expect(toast).toContainText('Accept v0');
  await passUndoTime(page);
  await expect(page.getByTestId('run-status')).toContainText('Accepted by a person', { timeout: 15_000 });
});
