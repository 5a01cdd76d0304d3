import { expect, test } from './app.ts';

test('refused settings stand under their own field with value and range, and nothing is stored', async ({ page }) => {
  await page.goto('/experiments/new');
  const send = page.getByRole('button', { name: 'Create experiment' });
  await send.click();
  await expect(page.locator('.err')).toContainText('Name must not be empty');
  await page.getByLabel('Name').first().fill('Refusals');

  await page.getByLabel('Quality threshold').fill('1.5');
  await send.click();
  await expect(page.getByLabel('Quality threshold')).toBeFocused();
  await expect(page.locator('.err')).toContainText('qualityThreshold must be a number from 0 to 1, got 1.5');
  await page.getByLabel('Quality threshold').fill('0.8');

  await page.getByLabel('Weight').first().fill('-1');
  await send.click();
  await expect(page.locator('.err')).toContainText('criteria.0.weight must be a number from 0 to 100, got -1');
  await page.getByLabel('Weight').first().fill('1');

  await page.getByLabel('Scored by').first().selectOption('a pattern');
  await page.getByLabel('Pattern').fill('(');
  await send.click();
  await expect(page.locator('.err')).toContainText('criteria.0.config.pattern does not compile');

  for (const name of ['coherence', 'completeness', 'tone', 'clarity'])
    await page.getByRole('button', { name: `Remove ${name}` }).click();
  await send.click();
  await expect(page.getByRole('alert').first()).toContainText('at least one criterion');
  await page.goto('/experiments?q=Refusals');
  await expect(page.getByText('No experiment has “Refusals” in its name')).toBeVisible();
});

test('a new experiment from a template is stored, run over pasted cases, and shows its curve as numbers', async ({
  page,
}) => {
  await page.goto('/datasets/new');
  await page.getByLabel('Name').fill('Sums');
  await page
    .getByLabel('Cases')
    .fill('{"input": "What is 2 + 3? Answer as Answer[number].", "reference": "5"}\n{"input": 7}');
  await expect(page.locator('.say')).toContainText('Line 2, column 2: input must be a text');
  await expect(page.getByRole('button', { name: 'Import 1 case' })).toBeDisabled();
  await page
    .getByLabel('Cases')
    .fill(
      '{"input": "What is 2 + 3? Answer as Answer[number].", "reference": "5"}\n{"input": "What is 4 + 9 × 2? Answer as Answer[number].", "reference": "22"}',
    );
  await page.getByRole('button', { name: 'Import 2 cases' }).click();
  await page.waitForURL(/\/datasets\/[0-9a-f-]{36}$/);

  await page.goto('/experiments/new');
  await page.getByLabel('Name').first().fill('Sums, retried');
  await page.getByLabel('Start from').selectOption('Exact answers');
  await page.getByRole('button', { name: 'Create experiment' }).click();
  await page.waitForURL(/\/experiments\/[0-9a-f-]{36}$/);
  await page.getByRole('radio', { name: 'A dataset' }).click();
  await page.getByRole('button', { name: 'Run 2 cases' }).click();
  await page.waitForURL(/batch=/);
  await expect(page.getByTestId('runs').locator('tbody tr')).toHaveCount(2);
  await expect(page.getByTestId('batch-progress')).toBeHidden({ timeout: 60_000 });
  await expect(page.getByTestId('solve-curve').locator('td[data-solved]').first()).toBeVisible();
  await expect(page.getByTestId('stop-reasons').getByRole('listitem')).not.toHaveCount(0);
});
