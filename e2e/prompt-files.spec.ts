import { readFileSync } from 'node:fs';
import { openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';

const recorded = (name: string) =>
  readFileSync(new URL(`../lib/prompts/prompt-files/recorded/${name}.json`, import.meta.url));

test('a GEPA result becomes a prompt with a version for each candidate', async ({ app, page, expectConsole }) => {
  expectConsole(/400 .*\/api\/v1\/prompt-imports/);
  await page.goto('/prompts');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const file = { mimeType: 'application/json', buffer: Buffer.from('\ufffd\u0005pickle') };
  await dialog.getByLabel('File').setInputFiles({ ...file, name: 'program.pkl' });
  await expect(dialog.getByText('Hone does not read it. Write JSON in Python instead')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Import' })).toBeDisabled();
  await dialog.getByLabel('File').setInputFiles({ ...file, name: 'gepa.json', buffer: recorded('gepa-0.1.4') });
  await expect(dialog.getByRole('status')).toHaveText(
    'GEPA: 4 versions. The newest is GEPA candidate 3: score 1 on 6 validation cases, the best.',
  );
  await dialog.getByLabel('Name').fill('files/from-gepa');
  await dialog.getByRole('button', { name: 'Import' }).click();
  await expect(page).toHaveURL(/\/prompts\/files%2Ffrom-gepa$/);
  await expect(page.getByText('GEPA candidate 0: score 0 on 6 validation cases')).toBeVisible();

  const { call } = openApi(app.address);
  const twice = await call('POST', '/api/v1/prompt-imports', {
    name: 'files/from-gepa',
    file: recorded('gepa-0.0.4').toString(),
  });
  expect(twice.status).toBe(409);

  // A prompt with a name like this does not collide with another route.
  await call('POST', '/api/v1/prompts', { name: 'import', text: 'Be brief.' });
  const named = await call('GET', '/api/v1/prompts/import');
  expect(named.body).toMatchObject({ name: 'import', text: 'Be brief.' });
});

test('a prompt is downloaded as a DSPy program that can be imported', async ({ app, page }) => {
  const { call } = openApi(app.address);
  await call('POST', '/api/v1/prompts', { name: 'files/sort', text: 'Sort the mail.\n\nMail: {{input}}' });
  await page.goto('/prompts/files%2Fsort');
  await page.getByRole('button', { name: 'Copy as code' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'DSPy' }).click();
  await dialog.getByLabel('Module').selectOption('dspy.ChainOfThought');
  await expect(dialog.getByText('program = dspy.ChainOfThought("input -> output")')).toBeVisible();
  const started = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download' }).click();
  const download = await started;
  expect(download.suggestedFilename()).toBe('files-sort-v1-dspy.json');
  const file = readFileSync(await download.path(), 'utf8');
  const made = await call('POST', '/api/v1/prompt-imports', { name: 'files/back', file, dryRun: true });
  expect(made.body).toMatchObject({
    format: 'dspy',
    versions: [{ text: expect.stringContaining('Mail: `input`') }],
  });
  await dialog.getByRole('radio', { name: 'JSON' }).click();
  await expect(dialog.getByLabel('Code')).toHaveValue(/"variables": \[\s+"input"\s+\]/);
});
