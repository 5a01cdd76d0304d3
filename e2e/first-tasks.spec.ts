import { createdDatasetSchema } from '#lib/api/datasets-schema.ts';
import { experimentSchema, startedSchema } from '#lib/api/experiments-schema.ts';
import { savedPromptSchema } from '#lib/api/prompts.ts';
import { inboxSchema } from '#lib/inbox/queries.ts';
import { openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { createProvider } from './create-provider.ts';
import { openPart } from './open-part.ts';
import { openProviderForm } from './provider-form.ts';
import { startScriptedProvider } from './scripted-provider.ts';

const KEY = 'sk-first-0123456789abWXYZ';

test('a rejected API key can be corrected in the same form', async ({ page }) => {
  const provider = await startScriptedProvider(({ headers }) =>
    headers.authorization === `Bearer ${KEY}`
      ? { text: '{"word": "ready"}' }
      : { status: 401, body: { error: { message: 'Incorrect API key provided.' } } },
  );
  const form = await openProviderForm(page);
  await form.getByLabel('Base URL').fill(provider.baseUrl);
  await form.getByLabel('Key').fill('sk-wrong');
  await form.getByRole('button', { name: 'Add and test' }).click();
  await expect(form.getByRole('alert')).toContainText('did not accept the API key');
  await form.getByLabel('Key').fill(KEY);
  await form.getByRole('button', { name: 'Save and test' }).click();
  await expect(page.getByTestId('provider-my-server').locator('summary').first()).toContainText(/works/i);
  // The form has no unsaved changes, so leaving it needs no confirmation.
  await form.getByRole('link', { name: 'New experiment' }).click();
  await expect(page.getByRole('heading', { name: 'New experiment' })).toBeVisible();
  await provider.stop();
});

test('a prompt without criteria is tuned by how well outputs follow it', async ({ page, app }) => {
  const api = openApi(app.address);
  const models = [{ provider: 'practice', model: 'practice-1' }];
  const prompt = { name: 'first/unjudged', text: 'Sort the mail: {{input}}', setup: { models } };
  await api.read(savedPromptSchema, 'POST', '/api/v1/prompts', prompt);
  await page.goto('/experiments/new?prompt=first%2Funjudged&version=1');
  await expect(page.getByText('The prompt has no criteria, so a judge scores')).toBeVisible();
  await openPart(page, 'Criteria');
  await expect(page.getByLabel('Name', { exact: true }).last()).toHaveValue('task_done');
});

test('a duplicated experiment keeps the dataset and the criteria', async ({ page, app }) => {
  const api = openApi(app.address);
  const { id: datasetId } = await api.read(createdDatasetSchema, 'POST', '/api/v1/datasets', {
    name: 'First tasks',
    cases: [{ input: 'Explain tides.' }, { input: 'Explain rain.' }],
  });
  const description =
    'The answer does what the task asks for, completely and correctly. The task: Explain it to a child.';
  const original = await api.createExperiment({
    name: 'First, original',
    generator: { provider: 'practice', model: 'practice-1', instructions: 'Explain it to a child.' },
    criteria: [{ name: 'task_done', evaluator: 'llm', description }],
    maxIterations: 0,
  });
  await api.read(startedSchema, 'POST', `/api/v1/experiments/${original}/runs`, { datasetId });
  await page.goto(`/experiments/new?from=${original}`);
  await expect(page.getByRole('combobox', { name: 'Dataset', exact: true })).toHaveValue(datasetId);
  await expect(page.getByTestId('estimate')).toContainText('2 runs.');
  const save = page.getByRole('button', { name: 'Save without running' });
  await page.getByLabel('Prompt', { exact: true }).fill('Explain it to a child in one sentence.');
  await save.click();
  await page.waitForURL(/\/experiments\/[0-9a-f-]{36}$/);
  const copy = new URL(page.url()).pathname.split('/').at(-1);
  const { settings } = await api.read(experimentSchema, 'GET', `/api/v1/experiments/${copy}`);
  expect(settings.generator.instructions).toBe('Explain it to a child in one sentence.');
  expect(settings.criteria).toMatchObject([{ name: 'task_done', description }]);
});

test('the inbox marks only the items of the practice model', async ({ page, app }) => {
  const provider = await startScriptedProvider(() => ({ text: 'The moon.' }));
  const api = openApi(app.address);
  await createProvider(api, { name: 'first-moon', baseUrl: provider.baseUrl });
  const paused = { maxIterations: 0, callbacks: { pause: 'always' } };
  const criteria = [{ name: 'short', evaluator: 'regex', config: { pattern: '.' } }];
  const practised = await api.createExperiment({ ...paused, name: 'First, practised' });
  const generator = { provider: 'first-moon', model: 'scripted-1' };
  const real = await api.createExperiment({ ...paused, name: 'First, real', generator, criteria });
  const ids: Record<string, string> = {};
  for (const experiment of [practised, real]) ids[experiment] = await api.startRun(experiment, 'Explain tides.');
  for (const id of Object.values(ids)) await api.waitForRun(id, ['waiting'], 60_000);
  const { items } = await api.read(inboxSchema, 'GET', '/api/v1/inbox?limit=200');
  expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining(Object.values(ids)));

  const banner = page.getByRole('region', { name: 'Practice data' });
  await page.goto(`/inbox?item=${ids[practised]}`);
  await expect(banner).toBeVisible();
  await page.getByLabel('Experiment', { exact: true }).selectOption(real);
  await expect(page).toHaveURL(new RegExp(`item=${ids[real]}`));
  await expect(banner).toBeHidden();
  await provider.stop();
});
