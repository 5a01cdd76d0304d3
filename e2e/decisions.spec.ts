import type { Page } from '@playwright/test';
import { runSchema } from '#lib/api/runs-schema.ts';
import { type Api, openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { excessWidth, violationsInBothThemes } from './axe.ts';
import { pressUntil } from './press-until.ts';

const WAITS = {
  criteria: [
    { name: 'clarity', evaluator: 'llm' },
    { name: 'completeness', evaluator: 'llm' },
  ],
  callbacks: { pause: 'always' },
  convergence: null,
  maxIterations: 5,
};
/** Three instructions, each of which changes a different part of the text. */
const GUIDANCE =
  'Write calmly, without capitals for whole sentences. Open with a sentence that names the subject. Add an example.';

/** Sends the draft and reopens the run once it waits again. */
async function sendAndReturn(page: Page, api: Api, runId: string, versions: number): Promise<void> {
  await page.keyboard.press('Control+Enter');
  const read = () => api.read(runSchema, 'GET', `/api/v1/runs/${runId}`);
  await expect
    .poll(async () => ((await read()).status === 'waiting' ? (await read()).versions.length : 0), { timeout: 30_000 })
    .toBe(versions);
  await page.goto(`/runs/${runId}`);
}

test('guides a revision, takes two of three changes, re-scores and accepts, by keyboard', async ({ page, app }) => {
  test.setTimeout(120_000);
  const api = openApi(app.address);
  const runId = await api.startRun(await api.createExperiment(WAITS), 'Explain how our rate limits work.');
  await api.waitForRun(runId, ['waiting']);
  const elsewhere = await api.startRun(await api.createExperiment(WAITS), 'Explain how webhooks are signed.');
  await api.waitForRun(elsewhere, ['waiting']);
  await page.goto(`/runs/${runId}`);
  const bar = page.getByTestId('decision-bar');
  await expect(bar).toContainText('Paused at v0');

  const dialog = page.getByRole('dialog', { name: 'Guide the revision of v0' });
  await pressUntil(page, 'g', dialog);
  await expect(dialog.getByLabel('Guidance')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('Guidance')).toHaveAccessibleDescription(/enter guidance for the revision/i);
  await expect(dialog.getByLabel('Guidance')).toBeFocused();
  await dialog.getByLabel('Guidance').fill(GUIDANCE);
  await dialog.getByRole('button', { name: 'Guide revision' }).click();
  await expect(bar).toContainText('Your draft: revise v0 with your guidance');
  await page.keyboard.press('z');
  await expect(bar).toContainText('Paused at v0');
  await page.keyboard.press('g');
  await expect(dialog.getByLabel('Guidance')).toHaveValue(GUIDANCE);
  await dialog.getByRole('button', { name: 'Guide revision' }).click();
  await sendAndReturn(page, api, runId, 2);
  await expect(bar).toContainText('Paused at v1');

  const guided = await api.read(runSchema, 'GET', `/api/v1/runs/${runId}`);
  expect(guided.versions[1]).toMatchObject({ parents: [0], origin: 'revised' });
  expect(guided.versions[1]?.output).toMatch(/for example|for instance/i);
  expect(guided.decisions[0]).toMatchObject({ decision: 'revise', by: 'person', version: 0, guidance: GUIDANCE });
  await expect(page.getByTestId('decisions')).toContainText(GUIDANCE);

  await page.getByRole('radio', { name: 'Diff' }).click();
  const changes = page.getByTestId('diff').getByRole('group', { name: /^Change / });
  await expect(changes.first()).toBeVisible();
  await expect(changes).toHaveCount(3);
  await page.keyboard.press('n');
  await page.keyboard.press('t');
  await expect(changes.first().getByRole('button', { name: 'Leave' })).toHaveAttribute('aria-pressed', 'true');
  await expect(page).toHaveURL(/left=1/);
  await expect(bar).toContainText('Chosen: take changes 2 and 3 of v1, leave 1');
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.keyboard.press('Control+Enter');
  await expect(bar).toContainText('Your draft: take changes 2 and 3 of v1, leave 1. This creates v2');
  await page.keyboard.press('Control+Enter');
  await expect(bar).toContainText('Paused at v2', { timeout: 30_000 });
  await expect(page).not.toHaveURL(/left=/);
  const merged = await api.read(runSchema, 'GET', `/api/v1/runs/${runId}`);
  expect(merged.versions[2]).toMatchObject({ origin: 'merged', parents: [0, 1], evaluations: [{ by: 'machine' }] });
  expect(merged.versions[2]?.output).not.toBe(merged.versions[1]?.output);

  await page.keyboard.press('a');
  await page.keyboard.press('Control+Enter');
  expect(await api.waitForRun(runId, ['finished'])).toMatchObject({
    convergenceReason: 'user_accepted',
    finalVersion: 2,
    success: true,
  });
  // Another run also waits, but the page stays on this run.
  await expect(page.getByTestId('run-status')).toContainText('Accepted by a person');
});

test('reviews a revision before scoring: takes two of three changes, and only the merged text is scored', async ({
  page,
  app,
}) => {
  test.setTimeout(120_000);
  const api = openApi(app.address);
  const callbacks = { pause: 'before_finish', review: { drafts: true, revisions: true } };
  const runId = await api.startRun(
    await api.createExperiment({ ...WAITS, callbacks }),
    'Explain how our rate limits work.',
  );
  await api.waitForRun(runId, ['waiting']);
  await page.goto(`/inbox?item=${runId}`);
  await expect(page.getByRole('region', { name: 'Waiting items' })).toContainText('Draft v0 waits for a review');
  await page.goto(`/runs/${runId}`);
  const bar = page.getByTestId('decision-bar');
  await expect(bar).toContainText('Paused at v0. Draft v0 waits for a review before it is scored.');
  await expect(bar.getByRole('button', { name: /^Override/ })).toBeDisabled();
  await expect(page.getByTestId('version-list')).toContainText('not yet');

  const dialog = page.getByRole('dialog', { name: 'Guide the revision of v0' });
  await pressUntil(page, 'g', dialog);
  await dialog.getByLabel('Guidance').fill(GUIDANCE);
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(bar).toContainText('Your draft: revise v0 with your guidance, without scoring v0');
  await sendAndReturn(page, api, runId, 2);
  await expect(bar).toContainText('Paused at v1. Revision v1 waits for a review before it is scored.');
  await expect(page.getByTestId('version-list').locator('[data-version="0"]')).toContainText('not scored');

  // The side-by-side diff is shown by default.
  const changes = page.getByTestId('diff').getByRole('group', { name: /^Change / });
  await expect(changes.first()).toBeVisible();
  await expect(changes).toHaveCount(3);
  await changes.last().getByRole('button', { name: 'Leave' }).click();
  await expect(bar).toContainText('Chosen: take changes 1 and 2 of v1, leave 3');
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('Control+Enter');
  await expect(bar).toContainText('Paused at v2. By its rules', { timeout: 30_000 });
  const record = await api.read(runSchema, 'GET', `/api/v1/runs/${runId}`);
  expect(record.versions).toMatchObject([
    { evaluations: [], critiques: [] },
    { evaluations: [], parents: [0] },
    { origin: 'merged', parents: [0, 1], evaluations: [{ by: 'machine', status: 'scored' }] },
  ]);
  expect(record.decisions.filter(({ by }) => by === 'person')).toMatchObject([
    { hook: 'onGeneration', decision: 'revise', version: 0 },
    { hook: 'onRevision', decision: 'merge', version: 2 },
  ]);
  await page.keyboard.press('a');
  await page.keyboard.press('Control+Enter');
  expect(await api.waitForRun(runId, ['finished'])).toMatchObject({
    convergenceReason: 'user_accepted',
    finalVersion: 2,
  });
  await page.goto(`/runs/${runId}`);
  await expect(page.getByTestId('decisions')).toContainText('before v1 was scored');
  await page.setViewportSize({ width: 375, height: 800 });
  expect(await excessWidth(page)).toBe(0);
});

test('scores an edit next to its source; a revert starts from the selected version', async ({ page, app }) => {
  test.setTimeout(120_000);
  const api = openApi(app.address);
  const runId = await api.startRun(await api.createExperiment(WAITS), 'Explain how our rate limits work.');
  await api.waitForRun(runId, ['waiting']);
  await page.goto(`/runs/${runId}`);
  const bar = page.getByTestId('decision-bar');
  const dialog = page.getByRole('dialog', { name: 'Edit v0' });
  await pressUntil(page, 'e', dialog);
  const text = dialog.getByLabel('Text of the new version');
  const before = await text.inputValue();
  await dialog.getByRole('button', { name: 'Create v1' }).click();
  await expect(text).toHaveAccessibleDescription(/identical to v0/i);
  await text.fill(`${before}\n\nFor example, wait one second and try again.`);
  await dialog.getByRole('button', { name: 'Create v1' }).click();
  await page.keyboard.press('Control+Enter');
  await expect(bar).toContainText('Paused at v1', { timeout: 30_000 });
  const rows = page.getByTestId('version-list').locator('tbody tr');
  await expect(rows.first()).toContainText('edited');
  await expect(rows).toHaveCount(2);

  await rows.last().getByRole('button').first().click();
  await expect(bar.getByRole('button', { name: /Revert/ })).toBeVisible();
  await page.keyboard.press('r');
  await expect(bar).toContainText('Your draft: revert to v0');
  await sendAndReturn(page, api, runId, 3);
  await expect(rows).toHaveCount(3);
  const record = await api.waitForRun(runId, ['waiting']);
  expect(record.versions.map(({ parents }) => parents)).toEqual([[], [0], [0]]);
  expect(record.decisions.filter(({ by }) => by === 'person').map(({ decision }) => decision)).toEqual([
    'edit',
    'revert',
  ]);
  await page.setViewportSize({ width: 375, height: 800 });
  expect(await excessWidth(page)).toBe(0);
  expect(await violationsInBothThemes(page)).toEqual([]);
});

test('a pause that times out falls back to the stop rules, and the page shows this', async ({ page, app }) => {
  const api = openApi(app.address);
  const callbacks = { pause: 'always', timeoutSeconds: 1 };
  const experimentId = await api.createExperiment({ ...WAITS, maxIterations: 0, callbacks });
  const runId = await api.startRun(experimentId);
  expect(await api.waitForRun(runId, ['finished'])).toMatchObject({ convergenceReason: 'max_iterations' });
  await page.goto(`/runs/${runId}`);
  await expect(page.getByTestId('decisions')).toContainText('The timeout');
  await expect(page.getByTestId('decisions')).toContainText('Nobody answered within 1.0 s.');
});
