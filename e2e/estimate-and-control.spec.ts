import { expect, test } from './app.ts';
import { clickUntil } from './press-until.ts';

test('shows an estimate before a start; a control is run with one click, annotated and found by search', async ({
  page,
}) => {
  await page.goto('/experiments/new');
  await page.getByLabel('Name').first().fill('Sums, held against more tries');
  await page.getByLabel('Start from').selectOption('Exact answers');
  const estimate = page.getByTestId('estimate');
  await expect(estimate).toContainText('Calls');
  await page.getByRole('button', { name: 'Save without running' }).click();
  await page.waitForURL(/\/experiments\/[0-9a-f-]{36}$/);
  const experiment = page.url();

  await page.getByLabel('Input', { exact: true }).fill('What is 4 + 9 × 2? Answer as Answer[number].');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const reference = page.getByLabel('Reference answer');
  await expect(reference).toHaveAccessibleDescription(
    /The case "What is 4 .* has no reference, and "exact_match" can score/,
  );
  await reference.fill('22');
  await page.getByLabel('Runs per case').fill('2');
  await expect(estimate).toContainText('2 runs. Lowest: every first version passes');
  await expect(estimate.getByRole('row', { name: /^Calls/ })).toContainText(/\d/);
  await page.getByRole('button', { name: 'Run it 2 times' }).click();
  await page.waitForURL(/batch=/);
  await expect(page.getByText('2 of 2').first()).toBeVisible({ timeout: 20_000 });

  const dialog = page.getByRole('dialog');
  await clickUntil(page.getByRole('button', { name: 'Run control' }), dialog);
  await expect(dialog.getByTestId('control-budget')).toContainText(/A run may spend .*\$\d/);
  await dialog.getByLabel('Draft temperature').fill('0');
  await expect(dialog).toContainText('temperature must be a number from 0.1 to 2, got 0');
  await expect(dialog.getByRole('button', { name: 'Start control' })).toBeDisabled();
  await dialog.getByLabel('Draft temperature').fill('1');
  await dialog.getByRole('button', { name: 'Start control' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Equal cost: Sums, held against more tries');

  await page.goto(experiment);
  const compare = page.getByTestId('controls').getByRole('link', { name: /^Compare/ });
  await expect(compare).toHaveAttribute('href', /\/compare\?of=[0-9a-f-]{36}@1,[0-9a-f-]{36}$/);
  const notes = page.getByTestId('notes');
  await notes.getByLabel('Write a note').fill('Held against **more tries** <img src=x onerror=alert(1)>');
  await notes.getByRole('button', { name: 'Add note' }).click();
  await expect(notes.getByRole('listitem')).toContainText('<img src=x onerror=alert(1)>');
  await expect(notes.locator('strong')).toHaveText('more tries');
  await notes.getByRole('button', { name: /^Edit note/ }).click();
  await notes.getByLabel('Edit note').fill('Held against fresh drafts');
  await notes.getByRole('button', { name: 'Save note' }).click();
  await expect(notes.getByRole('listitem')).toContainText('Held against fresh drafts');
  await notes.getByRole('button', { name: /^Delete the note/ }).click();
  await expect(notes).toContainText('none yet');

  await page.goto('/search?q=nothingofthekind');
  await expect(page.getByTestId('no-hits')).toContainText('No run contains all these words');
  await page.getByLabel('Words').fill('4 9 answer');
  await page.getByLabel('Experiment', { exact: true }).selectOption('Sums, held against more tries');
  await expect(async () => {
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await expect(page.getByTestId('hits').getByRole('listitem')).toHaveCount(2, { timeout: 2_000 });
  }).toPass({ timeout: 30_000 });
  await expect(page.getByTestId('hits').locator('mark').first()).toBeVisible();
  await page.getByTestId('hits').getByRole('link').first().click();
  await page.waitForURL(/\/runs\//);
});
