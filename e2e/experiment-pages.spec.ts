import { expect, test } from './app.ts';
import { chooseTemplate, openPart } from './open-part.ts';
import { clickUntil } from './press-until.ts';

test('rejected settings show the error with value and range under their field, and nothing is saved', async ({
  page,
}) => {
  await page.goto('/experiments/new');
  const send = page.getByRole('button', { name: 'Save without running' });
  await chooseTemplate(page, 'Writing');
  await page.getByLabel('Prompt', { exact: true }).fill('');
  await send.click();
  await expect(page.locator('[data-slot="field-error"]')).toContainText('Name must not be empty');
  await page.getByLabel('Name').first().fill('Refusals');

  await openPart(page, 'Criteria');
  await page.getByLabel('Quality threshold').fill('1.5');
  await send.click();
  await expect(page.getByLabel('Quality threshold')).toBeFocused();
  await expect(page.locator('[data-slot="field-error"]')).toContainText(
    'Quality threshold must be a number from 0 to 1, got 1.5',
  );
  await page.getByLabel('Quality threshold').fill('0.8');

  await page.getByLabel('Weight').first().fill('-1');
  await send.click();
  await expect(page.locator('[data-slot="field-error"]')).toContainText(
    'Weight must be a number from 0 to 100, got -1',
  );
  await page.getByLabel('Weight').first().fill('1');

  await page.getByLabel('Scored by').first().selectOption('Pattern');
  await page.getByLabel('Pattern').fill('(');
  await send.click();
  await expect(page.locator('[data-slot="field-error"]')).toContainText('Pattern does not compile');

  for (const name of ['coherence', 'completeness', 'tone', 'clarity'])
    await page.getByRole('button', { name: `Remove ${name}` }).click();
  await send.click();
  await expect(page.getByRole('alert').first()).toContainText('at least one criterion');
  await page.goto('/experiments?q=Refusals');
  await expect(page.getByText('No experiment name contains “Refusals”')).toBeVisible();
});

test('three errors in one submit appear at their fields, and a summary links to each', async ({ page }) => {
  await page.goto('/experiments/new');
  const send = page.getByRole('button', { name: 'Save without running' });
  const threshold = page.getByLabel('Quality threshold');
  await expect(async () => {
    await openPart(page, 'Criteria');
    await threshold.fill('high');
    await expect(page.getByText('threshold high')).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await page.getByText('People and budget', { exact: true }).click();
  await page.getByLabel('Budget per run (calls)').fill('0');
  await page.getByText('People and budget', { exact: true }).click();
  await send.click();

  const errors = page.locator('[data-slot="field-error"]');
  await expect(errors).toHaveText([
    'Name must not be empty (1 to 120 characters)',
    'Quality threshold must be a number from 0 to 1, got "high"',
    /^Budget per run \(calls\) must be a whole number from 1 to 100,000,000, got 0$/,
  ]);
  await expect(page.getByLabel('Name', { exact: true }).first()).toBeFocused();
  await expect(page.getByText('1 to fix')).toHaveCount(2);

  const summary = page.getByRole('region', { name: 'Not saved: 3 settings have an error' });
  await expect(summary.getByRole('link')).toHaveCount(3);
  await summary.getByRole('link', { name: 'Budget per run (calls) must be' }).click();
  await expect(page.getByLabel('Budget per run (calls)')).toBeFocused();
  await summary.getByRole('link', { name: 'Quality threshold must be' }).click();
  await expect(threshold).toBeFocused();

  await threshold.fill('0,8');
  await page.getByLabel('Budget per run (calls)').fill('');
  await send.click();
  await expect(errors).toHaveCount(1);
  await expect(summary).toBeHidden();
});

test('an experiment created from a template runs over pasted cases and shows its curve as numbers', async ({
  page,
}) => {
  await page.goto('/datasets/new');
  await page.getByLabel('Name').fill('Sums');
  const five = '{"input": "What is 2 + 3? Answer as Answer[number].", "reference": "5"}';
  const twentyTwo = '{"input": "What is 4 + 9 × 2? Answer as Answer[number].", "reference": "22"}';
  // Retries, because text pasted before hydration is lost and an editor may process the text before the selection.
  await expect(async () => {
    await page.getByRole('textbox', { name: 'Cases' }).fill(`${five}\n{"input": 7}`);
    const options = { timeout: 4_000 };
    await expect(page.locator('[data-slot="code-note"]')).toContainText(
      'Line 2, column 2: input must be a text',
      options,
    );
  }).toPass();
  await expect(page.getByRole('button', { name: 'Import 1 case' })).toBeDisabled();
  const importing = page.getByRole('button', { name: 'Import 2 cases' });
  await expect(async () => {
    await page.getByRole('textbox', { name: 'Cases' }).fill(`${five}\n${twentyTwo}`);
    await expect(importing).toBeEnabled({ timeout: 4_000 });
  }).toPass();
  await importing.click();
  await page.waitForURL(/\/datasets\/[0-9a-f-]{36}$/);

  await page.goto('/experiments/new');
  await page.getByLabel('Name').first().fill('Sums, retried');
  await page.getByLabel('Start from').selectOption('Exact answers');
  await page.getByRole('button', { name: 'Save without running' }).click();
  await page.waitForURL(/\/experiments\/[0-9a-f-]{36}$/);
  await page.getByRole('radio', { name: 'Dataset' }).click();
  await page.getByLabel('Runs per case').fill('21');
  await page.getByRole('button', { name: 'Run 2 cases' }).click();
  await expect(page.locator('[data-slot="field-error"]')).toContainText(
    'Runs per case must be a whole number from 1 to 20, got 21',
  );
  await page.getByLabel('Runs per case').fill('2');
  await page.getByRole('button', { name: 'Run 2 cases, 4 runs' }).click();
  await page.waitForURL(/batch=/);
  await expect(page.getByTestId('runs').locator('tbody tr')).toHaveCount(4);
  await expect(page.getByTestId('batch-progress')).toBeHidden({ timeout: 60_000 });
  await expect(page.getByText('2 cases, 2 runs each')).toBeVisible();
  const curve = page.getByTestId('solve-curve');
  await expect(curve.getByRole('rowheader', { name: 'Ever solved' })).toBeVisible();
  await expect(curve.getByRole('rowheader', { name: 'Currently solved' })).toBeVisible();
  const reasons = page.getByTestId('stop-reasons').getByRole('listitem');
  const count = Number(await reasons.first().locator('b').textContent());
  await page.setViewportSize({ width: 390, height: 800 });
  await reasons.first().getByRole('link').click();
  await page.waitForURL(/reason=/);
  await expect(page.getByRole('heading', { name: 'Runs', exact: true })).toBeInViewport();
  // The buttons fit in two rows: the first and the last are less than two rows apart.
  const [first, last] = await Promise.all(
    ['Delete', 'Run 2 cases'].map((name) => page.getByRole('button', { name, exact: true }).first().boundingBox()),
  );
  if (!first || !last) throw new Error('a button of the head is not visible');
  expect(Math.abs(last.y - first.y)).toBeLessThan(60);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(page.getByTestId('runs').locator('tbody tr')).toHaveCount(count);

  await page.getByRole('link', { name: 'Duplicate' }).click();
  await expect(page.getByRole('heading', { name: 'Duplicate of Sums, retried' })).toBeVisible();
  await page.getByLabel('Name').first().fill('Sums, one attempt');
  await page.getByLabel('Change description').fill('no second try');
  await page.getByText('Loop', { exact: true }).click();
  await page.getByLabel('Maximum attempts').fill('1');
  await page.getByRole('button', { name: 'Save without running' }).click();
  await page.waitForURL(/\/experiments\/[0-9a-f-]{36}$/);
  await expect(page.getByText('copied from Sums, retried v1')).toBeVisible();
  await page.getByRole('link', { name: 'Settings v1' }).click();
  await expect(page.getByTestId('settings-versions')).toContainText('no second try');
});

test('a stopped batch resumes from its page, and a filtered list can be saved as a view', async ({ page, app }) => {
  const post = async (path: string, data: object = {}) => {
    const response = await page.request.post(`${app.address}/api/v1${path}`, { data });
    expect(response.ok()).toBe(true);
    return response.json();
  };
  const { id } = await post('/experiments', {
    name: 'Sums to be stopped',
    mode: 'retry',
    generator: { provider: 'practice', model: 'practice-1' },
    criteria: [{ name: 'exact', evaluator: 'reference', config: { match: 'exact' } }],
    callbacks: { pause: 'always' },
  });
  const cases = [1, 2, 3].map((one) => ({ input: `What is ${one} + 1?`, reference: String(one + 1) }));
  const { batchId } = await post(`/experiments/${id}/runs`, { cases });
  await post(`/batches/${batchId}/stop`);
  await page.goto(`/experiments/${id}`);
  await expect(page.getByTestId('batch-progress')).toContainText('3 runs failed or stopped');
  const resume = page.getByRole('button', { name: 'Resume 3 runs' });
  await expect(async () => {
    if (await resume.isVisible()) await resume.click({ timeout: 1_000 });
    await expect(resume).toBeHidden({ timeout: 5_000 });
  }).toPass();
  await expect(page.getByTestId('runs').getByText('waiting')).toHaveCount(3, { timeout: 30_000 });

  await page.goto('/experiments?q=stopped&state=waiting');
  await expect(page.getByTestId('experiments').locator('tbody tr')).toHaveCount(1);
  await clickUntil(page.getByRole('button', { name: 'Save view' }), page.getByLabel('View name'));
  await page.getByLabel('View name').fill('Stopped sums');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const views = page.getByRole('navigation', { name: 'Views' });
  await expect(views.getByRole('link', { name: 'Stopped sums' })).toHaveAttribute('aria-current', 'page');
  await views.getByRole('link', { name: /^All/ }).click();
  await page.waitForURL(/\/experiments$/);
  await views.getByRole('link', { name: 'Stopped sums' }).click();
  await page.waitForURL(/state=waiting/);
  await page.getByRole('button', { name: 'Remove view' }).click();
  await expect(views.getByRole('link', { name: 'Stopped sums' })).toBeHidden();
});

test('saving settings warns about a concurrent change instead of overwriting it', async ({ page, app }) => {
  const at = `${app.address}/api/v1/experiments`;
  const created = await page.request.post(at, {
    data: {
      name: 'Edited by two',
      mode: 'revise',
      generator: { provider: 'practice', model: 'practice-1' },
      criteria: [{ name: 'clarity', evaluator: 'llm', description: 'Clear to a newcomer' }],
      maxIterations: 5,
    },
  });
  const { id } = await created.json();
  const settings = async () => (await page.request.get(`${at}/${id}`)).json();
  await page.goto(`/experiments/${id}/edit`);
  await expect(async () => {
    await page.getByLabel('Name').first().fill('Renamed by me');
    await expect(page.getByLabel('Name').first()).toHaveValue('Renamed by me', { timeout: 1_000 });
  }).toPass();
  const other = { maxIterations: 2, qualityThreshold: 0.9, message: 'fewer rounds' };
  expect((await page.request.patch(`${at}/${id}`, { data: other })).ok()).toBe(true);

  await page.getByRole('button', { name: 'Save new version' }).click();
  const conflict = page.getByRole('alert').filter({ hasText: 'Someone saved a newer version' });
  await expect(conflict).toContainText(
    /\(you\): v2, \d+ \w{3} \d{4}, \d\d:\d\d \(“fewer rounds”\)\. Your changes are not saved yet/,
  );
  await expect(page.getByLabel('Name').first()).toHaveValue('Renamed by me');
  expect(await settings()).toMatchObject({ name: 'Edited by two', latestVersion: 2, settings: { maxIterations: 2 } });

  const [newest] = await Promise.all([page.waitForEvent('popup'), conflict.getByRole('link').click()]);
  await expect(newest.getByRole('heading', { name: 'Settings v2' })).toBeVisible();
  await newest.close();

  expect((await page.request.patch(`${at}/${id}`, { data: { qualityThreshold: 0.95 } })).ok()).toBe(true);
  await page.getByRole('button', { name: 'Save over v2' }).click();
  await expect(conflict).toContainText(/\(you\): v3, /);
  await page.getByRole('button', { name: 'Save over v3' }).click();
  await page.waitForURL(/\/experiments\/[0-9a-f-]{36}$/);
  expect(await settings()).toMatchObject({
    name: 'Renamed by me',
    latestVersion: 4,
    settings: { maxIterations: 5, qualityThreshold: 0.8 },
  });
});
