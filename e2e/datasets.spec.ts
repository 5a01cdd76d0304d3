import { expect, test } from './app.ts';
import { countClicks } from './count-clicks.ts';

const PASTED = [
  '{"input": "How do I rotate a signing secret?", "tags": ["webhooks"]}',
  '{"input": "Which events are sent again?" "tags": ["webhooks"]}',
  '{"question": "How do I test a webhook locally?"}',
  '{"input": 7}',
  '{"input": "How do I rotate a signing secret?", "tags": ["other"]}',
].join('\n');

test('pastes, fixes, saves, edits and splits cases; the history lists each change', async ({ page }) => {
  await page.goto('/datasets/new');
  await page.getByLabel('Name').fill('API questions');
  const actions = page.getByTestId('import-actions');
  // Text entered before hydration is lost.
  await expect(async () => {
    await page.getByRole('textbox', { name: 'Cases' }).fill(PASTED);
    const words = 'Fix lines 2, 3 and 4 first, or leave them out. Nothing is imported';
    await expect(actions).toContainText(words, { timeout: 4_000 });
  }).toPass();
  await expect(page.getByText('is the same as line 1 and is left out')).toBeVisible();
  await page.getByRole('button', { name: 'Insert', exact: true }).click();
  await expect(actions).toContainText('Fix lines 3 and 4 first');
  await page.getByRole('button', { name: 'Read “question” as input' }).click();
  await expect(actions).toContainText('Fix line 4 first');
  await expect(page.getByRole('button', { name: 'Import 3 cases' })).toBeDisabled();
  await page.getByRole('button', { name: 'Leave out 1 line' }).click();
  await expect(actions).toContainText('1 line is left out');
  await page.getByRole('button', { name: 'Import 3 cases' }).click();
  await page.waitForURL(/\/datasets\/[0-9a-f-]{36}$/);

  const rows = page.getByTestId('cases').locator('tbody tr[data-index]');
  await expect(rows).toHaveCount(3);
  await page.getByRole('button', { name: 'Edit case 2' }).click();
  await page.getByLabel('Input').fill('Which events are sent twice?');
  await page.getByLabel('Reason for the change').fill('Clearer');
  await page.getByRole('button', { name: 'Save case' }).click();
  await expect(rows.nth(1)).toContainText('sent twice');
  await page.getByRole('checkbox', { name: 'Select case 3' }).check();
  await page.getByRole('button', { name: 'Remove 1' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(rows).toHaveCount(2);

  const parts = page.getByRole('navigation', { name: 'Parts of the dataset' });
  await parts.getByRole('link', { name: 'Splits' }).click();
  await page.getByLabel('Held out (%)').fill('50');
  await page.getByRole('button', { name: 'Split 2 cases' }).click();
  await expect(page.getByTestId('splits')).toContainText('Every case has a split');

  await parts.getByRole('link', { name: 'History 4' }).click();
  const versions = page.getByTestId('dataset-versions').locator('tbody tr');
  await expect(versions).toHaveCount(4);
  await expect(versions.nth(1)).toContainText('1 removed');
  await versions.nth(2).getByRole('link', { name: 'v2' }).click();
  await expect(page.getByRole('heading', { name: 'Changes in version 2' })).toBeVisible();
  await expect(versions.nth(2)).toContainText('Clearer');
  await expect(page.getByTestId('case-changes').locator('ins')).toHaveText('twice');
  await page.getByRole('link', { name: 'View cases of this version' }).click();
  await expect(rows).toHaveCount(3);
  await expect(page.getByText('You are viewing version 2 of this dataset')).toBeVisible();
});

/** An export of another tool: semicolon delimiter, byte order mark, Windows line ends, quotes. */
const FOREIGN = [
  '\uFEFFno;question;ideal answer;topic;audience',
  ...Array.from({ length: 20 }, (_, at) =>
    [
      at + 1,
      `"How long is cursor ${at} valid; and why?"`,
      `${at} minutes`,
      at % 2 ? 'paging' : 'limits',
      'admins',
    ].join(';'),
  ),
].join('\r\n');

test('imports 20 cases with headers of another tool and suggests the same mapping again', async ({ page }) => {
  const clicks = await countClicks(page);
  await page.goto('/datasets');
  await page.getByRole('link', { name: 'New dataset' }).click();
  await page.waitForURL('**/datasets/new');
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose file' }).click();
  await (await choosing).setFiles({ name: 'cursor questions.csv', mimeType: 'text/csv', buffer: Buffer.from(FOREIGN) });
  const columns = page.getByTestId('import-mapping');
  await expect(columns).toContainText('5 columns, matched by name');
  await expect(columns.getByLabel('Import question as')).toHaveValue('input');
  await expect(columns.getByLabel('Import ideal answer as')).toHaveValue('reference');
  await expect(columns.getByLabel('Import topic as')).toHaveValue('tags');
  await columns.getByLabel('Import no as').selectOption('ignore');
  await columns.getByLabel('Import audience as').selectOption('variable');
  await expect(page.getByTestId('would-be-stored')).toContainText('audience = admins');
  await expect(page.getByTestId('would-be-stored')).not.toContainText('no = ');
  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(
    page
      .getByTestId('would-be-stored')
      .getByText(/^reference: /)
      .first(),
  ).toBeVisible();
  if (size !== null) await page.setViewportSize(size);
  await page.getByRole('button', { name: 'Import 20 cases' }).click();
  await page.waitForURL(/\/datasets\/[0-9a-f-]{36}$/);
  await expect(page.getByTestId('cases')).toContainText('How long is cursor 0 valid; and why?');
  await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0);
  expect(await clicks()).toBeLessThanOrEqual(8);

  await page.getByRole('link', { name: 'Import', exact: true }).click();
  const more = '{"question": "A new one?", "ideal answer": "Yes", "topic": "paging", "audience": "all", "no": 21}';
  await expect(async () => {
    await page.getByRole('textbox', { name: 'Cases' }).fill(more);
    await expect(columns).toContainText('mapped as in the last import', { timeout: 4_000 });
  }).toPass();
  await expect(columns.getByLabel('Import no as')).toHaveValue('ignore');
  await columns.getByLabel('Import question as').selectOption('ignore');
  await expect(columns.getByRole('alert')).toHaveText('Choose the column that holds the input.');
  await columns.getByRole('button', { name: 'Match automatically' }).click();
  await expect(columns.getByLabel('Import question as')).toHaveValue('input');
  await page.getByRole('button', { name: 'Import 1 case' }).click();
  await expect(page.getByTestId('cases').locator('tbody tr[data-index]')).toHaveCount(21);

  await page.getByRole('link', { name: 'Use in experiment' }).click();
  await expect(page.getByRole('combobox', { name: 'Dataset', exact: true })).toContainText('cursor questions');
  await expect(page.getByTestId('estimate')).toContainText('21 runs.');
});

test('shows the file that was chosen last, and reports a file that cannot be read', async ({ page }) => {
  await page.addInitScript(() => {
    const read = File.prototype.text;
    File.prototype.text = function text() {
      if (this.name === 'gone.jsonl') return Promise.reject(new DOMException('gone', 'NotFoundError'));
      if (this.name !== 'slow.jsonl') return read.call(this);
      return new Promise((resolve) => {
        window.addEventListener('read-slow-file', () => resolve(read.call(this)));
      });
    };
  });
  const file = (name: string) => ({
    name: `${name}.jsonl`,
    mimeType: 'application/jsonl',
    buffer: Buffer.from(`{"input": "${name}"}`),
  });
  await page.goto('/datasets/new');
  const cases = page.getByRole('textbox', { name: 'Cases' });
  const chooser = page.getByLabel('File', { exact: true });
  await expect(async () => {
    await chooser.setInputFiles(file('first'));
    await expect(cases).toContainText('first', { timeout: 1_000 });
  }).toPass();
  await chooser.setInputFiles(file('slow'));
  await chooser.setInputFiles(file('quick'));
  await expect(cases).toContainText('quick');
  await page.evaluate(() => window.dispatchEvent(new Event('read-slow-file')));
  await chooser.setInputFiles(file('gone'));
  await expect(page.getByText('gone.jsonl could not be read.')).toBeVisible();
  await expect(cases).toContainText('quick');
});

test('requests the preview of a chosen JSON file only with its content', async ({ page }) => {
  await page.goto('/datasets/new');
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/preview') && response.status() >= 400) refused.push(response.url());
  });
  const buffer = Buffer.from('[{"input": "What is a tide?"}, {"input": "What is rain?"}]');
  await expect(async () => {
    await page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'two.json', mimeType: 'application/json', buffer });
    await expect(page.getByRole('button', { name: 'Import 2 cases' })).toBeEnabled({ timeout: 3_000 });
  }).toPass();
  expect(refused).toEqual([]);
});
