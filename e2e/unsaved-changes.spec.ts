import { openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { excessWidth, violationsInBothThemes } from './axe.ts';

test('unsaved input asks for confirmation on links, in the menu, on back navigation and on reload', async ({
  page,
}) => {
  await page.goto('/experiments');
  await page.getByRole('link', { name: 'New experiment' }).first().click();
  const name = page.getByLabel('Name', { exact: true }).first();
  const models = page.getByRole('link', { name: 'Models', exact: true });
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });

  // An unchanged form asks for no confirmation.
  await expect(name).toBeVisible();
  await models.click();
  await expect(page.getByRole('heading', { name: 'Models', level: 1 })).toBeVisible();
  await page.evaluate(() => history.back());

  await name.fill('An hour of work');
  await models.click();
  await expect(question).toContainText('Unsaved changes will be lost: “Name”.');
  await expect(question.getByRole('button', { name: 'Stay' })).toBeFocused();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.setViewportSize({ width: 375, height: 800 });
  expect(await excessWidth(page)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  await expect(name).toHaveValue('An hour of work');

  await page.evaluate(() => history.back());
  await expect(question).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(name).toHaveValue('An hour of work');

  const menu = page.getByRole('dialog', { name: 'Command menu' });
  await page.keyboard.press('Control+k');
  await menu.getByPlaceholder('Search or go to').fill('insig');
  await expect(menu.getByRole('option', { selected: true })).toContainText('Insights');
  await page.keyboard.press('Enter');
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(name).toHaveValue('An hour of work');

  const asked = page.waitForEvent('dialog');
  await page.evaluate(() => setTimeout(() => location.reload()));
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await expect(name).toHaveValue('An hour of work');

  await models.click();
  await question.getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('heading', { name: 'Models', level: 1 })).toBeVisible();
});

test('choosing another template replaces the changes in the form, and they can be restored', async ({ page }) => {
  await page.goto('/experiments/new');
  const template = page.getByLabel('Start from');
  const first = await template.inputValue();
  const instructions = page.getByLabel('Prompt', { exact: true });
  const taken = page.getByRole('alert').filter({ hasText: 'replaced your changes' });
  await page.getByLabel('Name', { exact: true }).first().fill('Kept');
  await template.selectOption('Exact answers');
  await expect(taken).toBeHidden();
  await template.selectOption(first);
  await expect(taken).toBeHidden();
  await instructions.fill('Written with care.');
  await template.selectOption('Exact answers');
  await expect(taken).toBeVisible();
  await taken.getByRole('button', { name: 'Restore my changes' }).click();
  await expect(instructions).toHaveValue('Written with care.');
  await expect(template).toHaveValue(first);
  await expect(taken).toBeHidden();
});

test('saved input and filters ask for no confirmation; rejected input does', async ({ page, app }) => {
  const api = openApi(app.address);
  const runId = await api.startRun(await api.createExperiment({ maxIterations: 0 }));
  await api.waitForRun(runId, ['finished']);
  await page.goto(`/runs/${runId}`);
  const models = page.getByRole('link', { name: 'Models', exact: true });
  const arrived = page.getByRole('heading', { name: 'Models', level: 1 });
  await page.getByLabel('Write a note').fill('Kept.');
  await page.getByRole('button', { name: 'Add note' }).click();
  await expect(page.getByTestId('notes').getByRole('listitem')).toContainText('Kept.');
  await models.click();
  await expect(arrived).toBeVisible();

  await page.goto('/lessons');
  await page.getByRole('searchbox').first().fill('thanks');
  await models.click();
  await expect(arrived).toBeVisible();

  await page.goto('/lessons/new');
  await page.getByLabel('Task type').fill('mail');
  await page.getByRole('button', { name: 'Add lesson' }).click();
  await expect(page.getByLabel('Text', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await models.click();
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible();
});

test('unsaved input asks for confirmation on a link to another tab of the page', async ({ page, app }) => {
  const id = await openApi(app.address).createExperiment();
  await page.goto(`/experiments/${id}`);
  const note = page.getByLabel('Write a note');
  await note.fill('Seen on Monday.');
  const settings = page.getByRole('link', { name: /^Settings v/ });
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await settings.click();
  await expect(question).toContainText('“Write a note”');
  await page.keyboard.press('Enter');
  await expect(note).toHaveValue('Seen on Monday.');
  await settings.click();
  await question.getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL(/tab=settings/);
});
