import type { Locator, Page } from '@playwright/test';
import { expect, test } from './app.ts';
import { chooseTemplate, openPart } from './open-part.ts';

/** Opens a new form with one criterion scored by `evaluator`. */
async function onlyCriterion(page: Page, name: string, evaluator: string): Promise<Locator> {
  await page.goto('/experiments/new');
  await chooseTemplate(page, 'Writing');
  await page.getByLabel('Name').first().fill(`Scored by ${evaluator}`);
  await openPart(page, 'Criteria');
  for (const other of ['coherence', 'completeness', 'tone'])
    await page.getByRole('button', { name: `Remove ${other}` }).click();
  await page.getByRole('group', { name: 'clarity' }).getByLabel('Name').fill(name);
  const criterion = page.getByRole('group', { name });
  await criterion.getByLabel('Scored by').selectOption(evaluator);
  return criterion;
}

async function openTry(criterion: Locator, output: string): Promise<void> {
  const field = criterion.getByLabel('Output to score');
  // Clicks before hydration are lost.
  await expect(async () => {
    if (!(await field.isVisible())) await criterion.getByText('Try on an output').click();
    await field.fill(output, { timeout: 1_000 });
  }).toPass();
}

test('tries a function, shows its error under its field, fixes it, saves it and runs it', async ({
  page,
  expectConsole,
}) => {
  // The browser logs every error response.
  expectConsole(/400/);
  const criterion = await onlyCriterion(page, 'short', 'function');
  await openTry(criterion, 'one two three');
  const code = criterion.getByRole('textbox', { name: 'JavaScript' });
  await expect(criterion.locator('[data-slot="code-editor"] [data-loaded="true"]')).toBeVisible();
  await code.fill('function evaluate({ output }) { return output.length < ; }');
  await expect(criterion.getByText(/Line 1: .* not expected here|Line 1: something is missing here/)).toBeVisible();
  await criterion.getByRole('button', { name: 'Score it' }).click();
  await expect(criterion.locator('[data-slot="field-error"]')).toContainText(/^JavaScript has a mistake/);
  await expect(code).toHaveAttribute('aria-invalid', 'true');
  await expect(code).toBeFocused();

  await criterion.getByRole('button', { name: 'Insert example: length' }).click();
  await expect(criterion.locator('[data-slot="field-error"]')).toHaveCount(0);
  await criterion.getByRole('button', { name: 'Score it' }).click();
  const result = criterion.getByTestId('tried-result');
  await expect(result).toContainText('passes 0.8');
  await expect(result).toContainText('3 words, at most 100 are allowed');
  await expect(result).toContainText('no model calls');
  await expect(criterion.getByText('Makes no model calls.')).toBeVisible();

  await page.getByRole('button', { name: 'Save without running' }).click();
  await page.waitForURL(/\/experiments\/[0-9a-f-]{36}$/);
  await page.getByLabel('Input', { exact: true }).fill('Explain tides.');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.waitForURL(/\/runs\/|batch=/);
  await expect(page.getByText(/words, at most 100 are allowed/).first()).toBeVisible({ timeout: 60_000 });
});

test('shows an invalid pattern under its field when tried', async ({ page, expectConsole }) => {
  expectConsole(/400/);
  const criterion = await onlyCriterion(page, 'digits', 'regex');
  await criterion.getByLabel('Pattern').fill('(');
  await openTry(criterion, 'about 700');
  await criterion.getByRole('button', { name: 'Score it' }).click();
  await expect(criterion.locator('[data-slot="field-error"]')).toContainText('Pattern does not compile');
  await expect(criterion.getByLabel('Pattern')).toBeFocused();
  await criterion.getByLabel('Pattern').fill('\\d{3}');
  await expect(criterion.locator('[data-slot="field-error"]')).toHaveCount(0);
  await criterion.getByRole('button', { name: 'Score it' }).click();
  await expect(criterion.getByTestId('tried-result')).toContainText('1.00');
});

test('shows reference details to people only, not to models', async ({ page }) => {
  const criterion = await onlyCriterion(page, 'capital', 'reference');
  await openTry(criterion, 'Timbuktu');
  await criterion.getByLabel('Case reference').fill('Ouagadougou');
  await criterion.getByRole('button', { name: 'Score it' }).click();
  const result = criterion.getByTestId('tried-result');
  await expect(result.getByText('Models see').locator('..')).not.toContainText('Ouagadougou');
  await expect(result.getByText('Only people see').locator('..')).toContainText('Ouagadougou');
});

test('enters and leaves a code editor by keyboard', async ({ page }) => {
  const criterion = await onlyCriterion(page, 'short', 'function');
  await expect(criterion.locator('[data-slot="code-editor"] [data-loaded="true"]')).toBeVisible();
  const code = criterion.getByRole('textbox', { name: 'JavaScript' });
  await code.focus();
  await page.keyboard.type('let x;');
  await page.keyboard.press('Tab');
  await expect(code).toBeFocused();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect(code).not.toBeFocused();
});

test('shows, replaces, validates, previews and resets a prompt; adds a set of criteria', async ({ page }) => {
  await page.goto('/experiments/new');
  await openPart(page, 'Prompts');
  await page.getByText('scores a version by the criteria of judges').click();
  await expect(page.getByText(/You judge a candidate answer/)).toBeVisible();
  await page.getByRole('button', { name: 'Replace it' }).click();
  const prompt = page.getByLabel('Prompt: evaluate');
  await expect(prompt).toHaveValue(/You judge a candidate answer/);
  await prompt.fill('Judge this for {{metadata.reader}}: {{inptu}}');
  await expect(page.getByRole('status').filter({ hasText: '{{inptu}} is not a known variable' })).toBeVisible();
  await page.getByText('Preview for a sample case').click();
  await expect(page.getByTestId('preview-evaluate')).toContainText(
    /Judge this for <case_metadata>\s*\(the case’s reader\)\s*<\/case_metadata>: \{\{inptu\}\}/,
  );
  await page.getByRole('button', { name: 'Use Hone’s default' }).click();
  await expect(page.getByText(/You judge a candidate answer/).first()).toBeVisible();

  await openPart(page, 'Criteria');
  await page.getByLabel('Add a set of criteria').selectOption('code');
  await expect(page.getByText('Added correctness, efficiency, readability, edge_cases.')).toBeVisible();
  await expect(page.getByRole('group', { name: 'edge_cases' }).getByLabel('Description')).toHaveValue(/Empty/);
});
