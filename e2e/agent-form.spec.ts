import { createdSchema, experimentSchema, experimentsSchema } from '#lib/api/experiments-schema.ts';
import { openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { openPart } from './open-part.ts';

test('creates a supervisor in the form, shows errors under their fields, and switches to a single call', async ({
  app,
  page,
}) => {
  await page.goto('/experiments/new');
  const workers = page.getByRole('group', { name: 'Workers' });
  const create = page.getByRole('button', { name: 'Save without running' });
  // Selections before hydration are lost.
  await expect(async () => {
    await page.getByLabel('Start from').selectOption('Agent with tools');
    await expect(page.getByText('an agent, with calculator, up to 10 turns')).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await page.getByLabel('Name').first().fill('Sums by a team');
  await openPart(page, 'Generation');
  await page.getByLabel('Attempts', { exact: true }).selectOption('supervisor');
  await create.click();
  await expect(workers.getByRole('alert')).toContainText('must contain at least one worker');

  await page.getByRole('button', { name: 'Add worker' }).click();
  await page.getByRole('group', { name: 'worker 1' }).getByLabel('Name').fill('solver');
  const solver = page.getByRole('group', { name: 'solver' });
  await solver.getByLabel('Description').fill('Works out numbers');
  await solver.getByLabel('javascript').check();
  await solver.getByLabel('Turns').fill('500');
  await page.getByRole('group', { name: 'Require approval for' }).getByLabel('javascript').check();
  await openPart(page, 'Reflect and revise');
  await page.getByLabel('Reflect every (turns)').fill('4');
  await page.getByRole('group', { name: 'Reflect after results of' }).getByLabel('javascript').check();
  await create.click();
  await expect(solver.locator('[data-slot="field-error"]')).toContainText('from 1 to 200, got 500');
  await expect(solver.getByLabel('Turns')).toBeFocused();
  await solver.getByLabel('Turns').fill('5');
  await create.click();
  await page.waitForURL(/\/experiments\/[0-9a-f-]{36}$/);
  await expect(page.getByText('a supervisor of solver')).toBeVisible();

  const api = openApi(app.address);
  const path = `/api/v1/experiments/${page.url().slice(-36)}`;
  const { settings } = await api.read(experimentSchema, 'GET', path);
  expect(settings.triggers).toMatchObject({ stepInterval: 4, onTools: ['javascript'] });
  expect(settings.generator.base).toMatchObject({
    type: 'supervisor',
    workers: [{ name: 'solver', description: 'Works out numbers', tools: ['javascript'], maxSteps: 5, model: null }],
    tools: ['calculator'],
    approve: ['javascript'],
  });

  const { items } = await api.read(experimentsSchema, 'GET', '/api/v1/experiments');
  expect(items).toContainEqual(expect.objectContaining({ name: 'Sums by a team', base: 'supervisor' }));

  const single = { generator: { base: { type: 'single' } } };
  const refused = await api.call('PATCH', path, single);
  expect(refused).toMatchObject({ status: 400, body: { error: { field: 'triggers.stepInterval' } } });
  await api.read(createdSchema, 'PATCH', path, {
    ...single,
    triggers: { stepInterval: null, onTools: [] },
  });
  await page.goto(`/experiments/${page.url().slice(-36)}?tab=settings`);
  const changed = page.getByTestId('settings-diff');
  await expect(changed).toContainText('generator.base.type');
  await expect(changed).toContainText('generator.base.workers');
});
