import { runSchema } from '#lib/api/runs-schema.ts';
import { openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { clickUntil, pressUntil } from './press-until.ts';

const QUESTION = 'Would you send this to a customer?';
const WITH_PEOPLE = {
  criteria: [
    { name: 'clarity', evaluator: 'llm', threshold: 0 },
    { name: 'taste', evaluator: 'human', threshold: 0.5, config: { question: QUESTION } },
  ],
  qualityThreshold: 0.5,
};

test('a run waiting for a reviewer’s score accepts it by keyboard and continues', async ({ page, app }) => {
  const api = openApi(app.address);
  const runId = await api.startRun(await api.createExperiment(WITH_PEOPLE));
  const { waitingFor } = await api.waitForRun(runId, ['waiting']);
  expect(waitingFor?.asks).toEqual([{ criterion: 'taste', question: QUESTION }]);

  await page.goto(`/runs/${runId}`);
  await expect(page.getByTestId('decision-bar')).toContainText('needs your score for taste');
  await expect(page.getByText(QUESTION)).toBeVisible();
  await expect(page.getByText('There is no overall score until a reviewer has scored taste')).toBeVisible();
  const score = page.getByLabel('Your score of taste');
  await pressUntil(page, 'y', score.and(page.locator(':focus')));

  await page.keyboard.type('1.5');
  await page.keyboard.press('Control+Enter');
  await expect(score).toHaveAccessibleDescription(/must be a number from 0 to 1/i);
  expect((await api.read(runSchema, 'GET', `/api/v1/runs/${runId}`)).decisions).toEqual([]);

  await score.fill('0,9');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Warm and plain.');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByTestId('run-status')).toContainText('Stopped:', { timeout: 30_000 });
  const record = await api.waitForRun(runId, ['finished']);
  expect(record).toMatchObject({ convergenceReason: 'quality_met', bestVersion: 0 });
  expect(record.decisions[0]).toMatchObject({
    decision: 'score',
    by: 'person',
    criterion: 'taste',
    score: 0.9,
    reason: 'Warm and plain.',
  });
  await expect(page.getByText('Warm and plain.').first()).toBeVisible();
});

test('a score that makes another version the best leaves the page at the scored version', async ({ page, app }) => {
  const api = openApi(app.address);
  const runId = await api.startRun(await api.createExperiment({ maxIterations: 3, qualityThreshold: 1 }));
  const { bestVersion } = await api.waitForRun(runId, ['finished']);
  await page.goto(`/runs/${runId}`);
  const output = page.getByRole('region', { name: `Output of version ${bestVersion}` });
  await expect(output).toBeVisible();
  const dialog = page.getByRole('dialog');
  await clickUntil(page.getByRole('button', { name: `Score v${bestVersion} yourself` }), dialog);
  await dialog.getByRole('button', { name: 'Add score' }).click();
  await expect(dialog.getByLabel('Score', { exact: true })).toBeFocused();
  await dialog.getByLabel('Score', { exact: true }).fill('0');
  await dialog.getByRole('button', { name: 'Add score' }).click();
  const row = page.getByTestId('version-list').locator(`[data-version="${bestVersion}"]`);
  await expect(row).toContainText('0.00');
  await expect(row).not.toContainText('best');
  await expect(output).toBeVisible();
});

test('a webhook is added, shows its secret once, is tested and deleted', async ({ page }) => {
  await page.goto('/settings');
  const form = page.locator('form', { has: page.getByRole('button', { name: 'Add webhook' }) });
  await expect(async () => {
    await form.getByLabel('Name').fill('nobody-home');
    await form.getByLabel('URL').fill('http://10.0.0.1/score');
    await form.getByRole('button', { name: 'Add webhook' }).click();
    await expect(form.getByLabel('URL')).toHaveAccessibleDescription(/private network/, { timeout: 2_000 });
  }).toPass();
  await expect(form.getByLabel('URL')).toBeFocused();
  await form.getByLabel('URL').fill('http://127.0.0.1:1/score');
  await form.getByRole('button', { name: 'Add webhook' }).click();
  await expect(page.getByTestId('made-secret')).toContainText('whsec_');
  const section = page.getByTestId('webhook-nobody-home');
  await section.locator('summary').click();
  await section.getByRole('button', { name: 'Send test' }).click();
  await expect(section.getByRole('alert')).toContainText('could not be reached');
  await page.reload();
  await expect(page.getByTestId('made-secret')).toBeHidden();
  await section.locator('summary').click();
  await section.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(section).toBeHidden();
});
