import { createdDatasetSchema } from '#lib/api/datasets-schema.ts';
import { experimentSchema } from '#lib/api/experiments-schema.ts';
import { retrospectivesSchema } from '#lib/api/runs-schema.ts';
import { lessonDetailSchema } from '#lib/core/lesson-library.ts';
import { type Api, openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { excessWidth, violationsInBothThemes } from './axe.ts';

const WRITING = [
  { name: 'clarity', evaluator: 'llm' },
  { name: 'completeness', evaluator: 'llm' },
];
const TASKS = [
  'Describe our release process to a new colleague',
  'Write a guide to code reviews for developers',
  'Explain the refund policy to customers',
  'Write a note on password rules for all users',
  'Explain the holiday plan to the team',
  'Describe the backup routine to a beginner',
];

/** Returns an ended run and the lessons of its retrospective once they have been screened. */
async function lookedBack(api: Api, input: string) {
  const runId = await api.startRun(await api.createExperiment({ criteria: WRITING, maxIterations: 2 }), input);
  await api.waitForRun(runId, ['finished']);
  await api.call('POST', `/api/v1/runs/${runId}/retrospective`);
  const lessons = async () => {
    const { items } = await api.read(retrospectivesSchema, 'GET', `/api/v1/runs/${runId}/retrospectives`);
    return items[0]?.lessons ?? [];
  };
  const isScreened = async () =>
    (await lessons()).filter(({ status }) => status === 'quarantined' || status === 'archived').length > 0 &&
    (await lessons()).every(({ status }) => status !== 'candidate');
  await expect.poll(isScreened, { timeout: 30_000 }).toBe(true);
  return { runId, lessons: await lessons() };
}

test('a retrospective of a run creates typed lessons with their source', async ({ page, app }) => {
  const api = openApi(app.address);
  const settings = { criteria: WRITING, maxIterations: 2 };
  const runId = await api.startRun(await api.createExperiment(settings), 'Explain our rate limits to a new user');
  await api.waitForRun(runId, ['finished']);
  await page.goto(`/runs/${runId}`);
  const pane = page.getByTestId('retrospective');
  await expect(async () => {
    if ((await pane.getByRole('listitem').count()) === 0)
      await pane.getByRole('button', { name: 'Look back', exact: true }).click({ timeout: 1_000 });
    await expect(pane.getByRole('listitem').first()).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(pane.getByText(/^\d+ lessons: /)).toContainText('skill card', { timeout: 20_000 });
  for (const kind of ['skill card', 'failure pattern', 'tool policy', 'episodic case', 'principle', 'procedure'])
    await expect(pane.getByText(kind, { exact: true }).first()).toBeVisible();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.setViewportSize({ width: 375, height: 800 });
  expect(await excessWidth(page)).toBe(0);
  await page.setViewportSize({ width: 1440, height: 900 });

  await pane.getByRole('link', { name: /^Always / }).click();
  await page.waitForURL(/\/lessons\//);
  await expect(page.locator(`a[href^="/runs/${runId}"]`).first()).toBeVisible();
});

test('a lesson is tested on other cases with and without it, and its lift is shown', async ({
  page,
  app,
  expectConsole,
}) => {
  // An experiment without runs has no cases, so the estimate is rejected with this status.
  expectConsole(/409/);
  const api = openApi(app.address);
  const { lessons } = await lookedBack(api, 'Explain our rate limits to an old user');
  const procedure = lessons.find(({ kind, status }) => kind === 'procedure' && status === 'quarantined');
  if (procedure === undefined) throw new Error(`no procedure among ${JSON.stringify(lessons)}`);
  await api.createExperiment({ name: 'First drafts', criteria: WRITING, maxIterations: 0 });
  const cases = TASKS.map((input) => ({ input }));
  await api.read(createdDatasetSchema, 'POST', '/api/v1/datasets', { name: 'Six guides', cases });

  await page.goto(`/lessons/${procedure.id}`);
  const pane = page.getByTestId('trials');
  const dialog = page.getByRole('dialog', { name: 'Test on other cases' });
  await expect(async () => {
    await pane.getByRole('button', { name: 'Test on cases' }).click();
    await expect(dialog).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await dialog.getByLabel('Experiment', { exact: true }).selectOption({ label: 'First drafts, 0 runs' });
  await expect(dialog.getByText('This experiment has not run yet')).toBeVisible();
  await dialog.getByLabel('Cases', { exact: true }).selectOption({ label: 'Six guides, 6 cases' });
  await expect(dialog.getByTestId('trial-estimate')).toHaveText('6 cases, 12 runs, about 24 model calls.');
  expect(await violationsInBothThemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Start test' }).click();
  await expect(dialog).toBeHidden();
  const trial = pane.getByTestId('trial');
  await expect(trial).toContainText('It helps: +0.', { timeout: 30_000 });
  await expect(trial).toContainText('with 95% confidence, 6 cases');
  await expect(trial).toContainText('This is too few cases to be sure.');
  await trial.getByText('6 cases', { exact: true }).click();
  await expect(trial.getByRole('row')).toHaveCount(7);
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.setViewportSize({ width: 375, height: 800 });
  expect(await excessWidth(page)).toBe(0);
});

test('a promoted principle is previewed and added as a rule to an experiment’s instructions', async ({ page, app }) => {
  const api = openApi(app.address);
  const text = 'Never promise a date that nobody has agreed to.';
  const stored = await api.call('POST', '/api/v1/lessons', { kind: 'principle', text });
  const { id } = lessonDetailSchema.parse(stored.body);
  const status = async () => (await api.read(lessonDetailSchema, 'GET', `/api/v1/lessons/${id}`)).status;
  await expect.poll(status, { timeout: 20_000 }).toBe('quarantined');
  const experimentId = await api.createExperiment({
    name: 'To be ruled',
    generator: { provider: 'practice', model: 'practice-1', instructions: 'Be brief.' },
  });
  await page.goto(`/lessons/${id}`);
  await expect(page.getByTestId('lesson-rule')).toHaveCount(0);
  const review = { verdict: 'promote', reason: 'It holds everywhere.', editCount: 0 };
  expect((await api.call('POST', `/api/v1/lessons/${id}/reviews`, review)).status).toBeLessThan(300);
  await page.reload();
  const dialog = page.getByRole('dialog', { name: 'Add as a permanent rule' });
  await expect(async () => {
    await page.getByRole('button', { name: 'Add to instructions' }).click();
    await expect(dialog).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await dialog.getByLabel('Experiment', { exact: true }).selectOption({ label: 'To be ruled' });
  await expect(dialog.getByTestId('diff')).toContainText(`Rule: ${text}`);
  await expect(dialog.getByTestId('diff')).toContainText('Be brief.');
  expect(await violationsInBothThemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByText('Added to “To be ruled”, settings v2').first()).toBeVisible();
  const { settings, latestVersion } = await api.read(experimentSchema, 'GET', `/api/v1/experiments/${experimentId}`);
  expect(latestVersion).toBe(2);
  expect(settings.generator.instructions).toBe(`Be brief.\n\nRule: ${text}`);
});
