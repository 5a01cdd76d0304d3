import { savedPromptSchema } from '#lib/api/prompts.ts';
import { runSchema } from '#lib/api/runs-schema.ts';
import { movedLabelSchema, promptDetailSchema, promptTextSchema } from '#lib/prompts/schema.ts';
import { openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { excessWidth } from './axe.ts';
import { openPart } from './open-part.ts';

const SAMPLE = '/api/v1/prompts/support-triage';
const NAME = 'mail/sorter';
const AT = `/api/v1/prompts/${encodeURIComponent(NAME)}`;
const EDIT = 'You sort support mail for a payments API, and you are quick.';

test('a weak prompt is tuned; a proposal is accepted in part, labelled production and rolled back', async ({
  page,
  app,
}) => {
  test.setTimeout(180_000);
  const api = openApi(app.address);
  await expect.poll(async () => (await api.call('GET', SAMPLE)).status, { timeout: 60_000 }).toBe(200);
  const { setup } = await api.read(promptDetailSchema, 'GET', `${SAMPLE}/versions`);
  const { text } = await api.read(promptTextSchema, 'GET', `${SAMPLE}?version=1`);
  await api.read(savedPromptSchema, 'POST', '/api/v1/prompts', { name: NAME, text, setup });
  await api.read(movedLabelSchema, 'PUT', `${AT}/labels/production`, { version: 1 });

  // The form is prefilled from the prompt. Errors appear at their fields.
  await page.goto(`/prompts/${encodeURIComponent(NAME)}`);
  await page.getByRole('link', { name: 'Tune prompt' }).click();
  await expect(page.getByRole('heading', { name: `Tune ${NAME} v1` })).toBeVisible();
  await expect(page.getByLabel('Prompt to tune')).toHaveValue(text);
  await openPart(page, 'Tuning');
  const split = page.getByRole('status', { name: 'Cases by split' });
  await expect(split).toContainText('12 training, 8 validation, 8 held out');
  await page.getByLabel('Share for validation').fill('0');
  await expect(split).toContainText('20 training, 0 validation');
  await page.getByLabel('Share for validation').fill('0.4');
  await page.getByLabel('Next proposal starts from').selectOption({ label: 'the candidate with the best mean' });
  await openPart(page, 'People and budget');
  await page.getByLabel('Pause for review').selectOption({ label: 'before each proposal' });
  await page.getByLabel('Review each proposal before it is tested').check();
  await page.getByLabel('Cases per proposal').fill('0');
  await page.getByRole('button', { name: 'Save without running' }).click();
  await expect(page.getByLabel('Cases per proposal')).toHaveAccessibleDescription(/from 1 to 50, got 0/);
  await page.getByLabel('Cases per proposal').fill('3');
  await page.getByRole('button', { name: 'Save without running' }).click();
  await expect(page.getByText('Choose the cases, then select Tune.')).toBeVisible({ timeout: 20_000 });
  await expect(page.getByTestId('estimate').getByRole('row', { name: /^Calls 16 \d+$/ })).toBeVisible();
  await page.getByRole('button', { name: 'Tune' }).click();

  const bar = page.getByTestId('decision-bar');
  await expect(bar).toContainText('Paused at v0', { timeout: 30_000 });
  const runId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const read = () => api.read(runSchema, 'GET', `/api/v1/runs/${runId}`);

  // A manual candidate is evaluated directly on the validation cases.
  await bar.getByRole('button', { name: /^Edit/ }).click();
  const edit = page.getByRole('dialog', { name: 'Edit v0' });
  await edit.getByLabel('Text of the new version').fill([EDIT, ...text.split('\n').slice(1)].join('\n'));
  await edit.getByRole('button', { name: 'Create v1' }).click();
  await bar.getByRole('button', { name: /^Send now/ }).click();
  await expect(bar).toContainText('Paused at v1', { timeout: 30_000 });
  await expect(page.getByTestId('lineage')).toContainText('v1 by a reviewer');

  await bar.getByRole('button', { name: /^Continue/ }).click();
  await expect.poll(async () => (await read()).waitingFor?.version, { timeout: 30_000 }).toBe(2);
  await page.goto(`/runs/${runId}`);
  await expect(bar).toContainText('Paused at v2. Proposal v2 waits for a review before it is tested.');

  // The proposal is shown with its cases before any paid call.
  const effect = page.getByTestId('proposal');
  await expect(effect).toContainText('Effect of v2 on its cases');
  await expect(effect.getByText('not tested')).toHaveCount(4);
  await effect.locator('summary').first().click();
  await expect(effect).toContainText('Reference, shown to the reflection model');
  await page.getByLabel('Compare version 2 with').selectOption({ label: 'v0' });
  const changes = page
    .getByTestId('diff')
    .first()
    .getByRole('group', { name: /^Change / });
  await expect(changes).toHaveCount(2);
  await changes.first().getByRole('button', { name: 'Leave' }).click();
  await expect(bar).toContainText('Chosen: take change 2 of v2, leave 1');
  await bar.getByRole('button', { name: /^Take 1 change/ }).click();
  await bar.getByRole('button', { name: /^Send now/ }).click();
  await expect(bar).toContainText('Paused at v3', { timeout: 30_000 });
  const merged = (await read()).versions[3];
  expect(merged).toMatchObject({ origin: 'merged', parents: [0, 2] });
  expect(merged?.output).not.toContain(EDIT);
  expect(merged?.output).not.toBe(text);
  expect(merged?.evaluations).toHaveLength(1);

  await bar.getByRole('button', { name: /^Accept v3/ }).click();
  await bar.getByRole('button', { name: /^Send now/ }).click();
  expect(await api.waitForRun(runId, ['finished'])).toMatchObject({
    convergenceReason: 'user_accepted',
    finalVersion: 3,
  });
  await expect(page.getByTestId('run-status')).toContainText('Accepted by a person');
  await expect(page.getByTestId('outcome')).toContainText('1 proposal, none kept after validation.');
  await expect(page.getByTestId('outcome')).toContainText('8 held-out cases');

  // Compares each case with the original prompt.
  await page.getByRole('radio', { name: 'Validation' }).click();
  await expect(page.getByTestId('case-table').getByText('held out')).toHaveCount(0);
  await page.getByTestId('case-table').getByRole('button').first().click();
  await expect(page.getByTestId('case-pane')).toContainText('Reference, never shown to models');
  await page.setViewportSize({ width: 375, height: 800 });
  expect(await excessWidth(page)).toBe(0);
  const saveVersion = page.getByRole('button', { name: `Save v3 as version of ${NAME}` });
  await page.evaluate(() => window.scrollTo(0, 0));
  await expect(saveVersion).toBeInViewport();
  await page.setViewportSize({ width: 1280, height: 800 });

  await saveVersion.click();
  const save = page.getByRole('dialog', { name: 'Save v3 as a version' });
  await save.getByLabel('What changed').fill('');
  await save.getByRole('button', { name: 'Save version' }).click();
  await expect(save.getByLabel('What changed')).toHaveAccessibleDescription(/must say in a few words/i);
  await save.getByLabel('What changed').fill('Says what to go by');
  await save.getByLabel('Label', { exact: true }).selectOption('custom');
  await save.getByRole('button', { name: 'Save version' }).click();
  await expect(save.getByLabel('Label name')).toHaveAccessibleDescription('Enter a label.');
  await save.getByLabel('Label', { exact: true }).selectOption('production');
  await save.getByRole('button', { name: 'Save version' }).click();
  await expect(page.getByRole('region', { name: 'Prompt library' })).toContainText(`v2 of ${NAME}`);
  const production = () => api.read(promptTextSchema, 'GET', `${AT}?label=production`);
  expect(await production()).toMatchObject({
    version: 2,
    text: merged?.output,
    parent: 1,
    run: { id: runId, version: 3 },
  });

  await page.getByRole('link', { name: `v2 of ${NAME}` }).click();
  await page.getByRole('button', { name: 'Roll back', exact: true }).click();
  const labels = page.getByRole('dialog', { name: `Labels of ${NAME}` });
  await labels.getByRole('button', { name: 'Roll back production to v1' }).click();
  await expect(labels.getByTestId('labels')).toContainText('v1');
  await expect.poll(async () => (await production()).version).toBe(1);
});
