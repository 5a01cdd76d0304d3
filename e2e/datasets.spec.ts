import { expect, test } from './app.ts';

const PASTED = [
  '{"input": "How do I rotate a signing secret?", "tags": ["webhooks"]}',
  '{"input": "Which events are sent again?" "tags": ["webhooks"]}',
  '{"question": "How do I test a webhook locally?"}',
  '{"input": 7}',
  '{"input": "How do I rotate a signing secret?", "tags": ["other"]}',
].join('\n');

test('cases are pasted, mended line by line, stored, changed and divided; the history says what was done', async ({
  page,
}) => {
  await page.goto('/datasets/new');
  await page.getByLabel('Name').fill('API questions');
  const actions = page.getByTestId('import-actions');
  // What is pasted before the page's scripts run is lost.
  await expect(async () => {
    await page.getByRole('textbox', { name: 'Cases' }).fill(PASTED);
    const words = 'Mend lines 2, 3 and 4 first, or leave them out. Nothing is stored';
    await expect(actions).toContainText(words, { timeout: 4_000 });
  }).toPass();
  await expect(page.getByText('is the same as line 1 and is left out')).toBeVisible();
  await page.getByRole('button', { name: 'Put it in' }).click();
  await expect(actions).toContainText('Mend lines 3 and 4 first');
  await page.getByRole('button', { name: 'Read “question” as input' }).click();
  await expect(actions).toContainText('Mend line 4 first');
  await expect(page.getByRole('button', { name: 'Import 3 cases' })).toBeDisabled();
  await page.getByRole('button', { name: 'Leave out 1 line' }).click();
  await expect(actions).toContainText('1 line is left out');
  await page.getByRole('button', { name: 'Import 3 cases' }).click();
  await page.waitForURL(/\/datasets\/[0-9a-f-]{36}$/);

  const rows = page.getByTestId('cases').locator('tbody tr[data-index]');
  await expect(rows).toHaveCount(3);
  await page.getByRole('button', { name: 'Edit case 2' }).click();
  await page.getByLabel('Input').fill('Which events are sent twice?');
  await page.getByLabel('Why, for the history').fill('Clearer');
  await page.getByRole('button', { name: 'Store the case' }).click();
  await expect(rows.nth(1)).toContainText('sent twice');
  await page.getByRole('checkbox', { name: 'Tick case 3' }).check();
  await page.getByRole('button', { name: 'Remove 1' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(rows).toHaveCount(2);

  const parts = page.getByRole('navigation', { name: 'Parts of the dataset' });
  await parts.getByRole('link', { name: 'Splits' }).click();
  await page.getByLabel('Held out, %').fill('50');
  await page.getByRole('button', { name: 'Divide 2 cases' }).click();
  await expect(page.getByTestId('splits')).toContainText('Every case has its side');

  await parts.getByRole('link', { name: 'History 4' }).click();
  const versions = page.getByTestId('dataset-versions').locator('tbody tr');
  await expect(versions).toHaveCount(4);
  await expect(versions.nth(1)).toContainText('1 removed');
  await versions.nth(2).getByRole('link', { name: 'v2' }).click();
  await expect(page.getByRole('heading', { name: 'What version 2 changed' })).toBeVisible();
  await expect(versions.nth(2)).toContainText('Clearer');
  await expect(page.getByTestId('case-changes').locator('ins')).toHaveText('twice');
  await page.getByRole('link', { name: 'All cases as they were then' }).click();
  await expect(rows).toHaveCount(3);
  await expect(page.getByText('The dataset as it was at version 2')).toBeVisible();
});
