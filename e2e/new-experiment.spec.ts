import type { Locator, Page } from '@playwright/test';
import { datasetsSchema } from '#lib/api/datasets-schema.ts';
import { experimentSchema, experimentsSchema } from '#lib/api/experiments-schema.ts';
import { openApi } from './api/open-api.ts';
import { expect, setDefaultModel, test } from './app.ts';
import { excessWidth, violationsInBothThemes } from './axe.ts';
import { createProvider } from './create-provider.ts';
import { formPart } from './open-part.ts';
import { openProviderForm } from './provider-form.ts';
import { type ScriptedRequest, startScriptedProvider } from './scripted-provider.ts';

const PROMPT = 'Name the city of the ticket. Answer with the city alone.';
const KEY = 'sk-new-0123456789abWXYZ';

/** Responds depending on the prompt: with the city of a ticket, a judgement of an output, or the JSON of a connection test. */
function clerk({ prompt, messages, stream }: ScriptedRequest) {
  const all = messages.map(({ content }) => content).join('\n');
  if (prompt.includes('<criteria>')) {
    const isCity = /<candidate>\s*(Oslo|Lima|Bern)\s*<\/candidate>/.test(prompt) || /\b(Oslo|Lima|Bern)\b/.test(prompt);
    const judged = {
      name: 'task_done',
      score: isCity ? 0.95 : 0.2,
      reason: 'By the city.',
      issues: [],
      suggestions: [],
    };
    return { text: JSON.stringify({ criteria: [judged], confidence: 0.9 }) };
  }
  const city = /from (Oslo|Lima|Bern)/.exec(prompt)?.[1];
  if (city !== undefined && all.includes('Name the city')) return { text: city, ...(stream && { pieceDelayMs: 20 }) };
  return { text: '{"word": "ready"}' };
}

/** Counts clicks. Typing into a focused field does not count. */
function countClicks() {
  let clicks = 0;
  return {
    click: async (target: Locator) => {
      clicks += 1;
      await target.click();
    },
    /** Clicks a field and types. */
    type: async (target: Locator, text: string) => {
      clicks += 1;
      await target.click();
      await target.fill(text);
    },
    /** A selection is two clicks: open the list and choose. */
    choose: async (target: Locator, label: string) => {
      clicks += 2;
      await target.selectOption({ label });
    },
    count: () => clicks,
  };
}

/** Waits for hydration, because earlier input is lost. */
async function formIsReady(page: Page): Promise<void> {
  const prompt = page.getByLabel('Prompt', { exact: true });
  await expect(async () => {
    await prompt.fill('ready?');
    await expect(page.getByLabel('Name', { exact: true }).first()).toHaveAttribute('placeholder', 'ready?', {
      timeout: 1_000,
    });
  }).toPass();
  await prompt.fill('');
}

test('a new user gets a first result in six clicks and connects a model in six', async ({ page, app }) => {
  const provider = await startScriptedProvider(clerk);
  const api = openApi(app.address);

  // Clicks for connecting a model are counted separately.
  const connecting = countClicks();
  const form = await openProviderForm(page);
  await connecting.choose(form.getByLabel('Provider'), 'Any OpenAI-compatible server');
  await connecting.type(form.getByLabel('Name'), 'clerk');
  await connecting.type(form.getByLabel('Base URL'), provider.baseUrl);
  await form.getByLabel('Key').fill(KEY);
  await connecting.click(form.getByRole('button', { name: 'Add and test' }));
  await expect(page.getByTestId('provider-clerk').locator('summary').first()).toContainText(/works/i, {
    timeout: 30_000,
  });
  expect(connecting.count()).toBeLessThanOrEqual(6);
  await setDefaultModel(app.address, { provider: 'clerk', model: 'scripted-1' });

  const first = countClicks();
  await page.goto('/experiments');
  await first.click(page.getByRole('link', { name: 'New experiment' }).first());
  await page.waitForURL('/experiments/new');
  await formIsReady(page);
  await expect(page.getByLabel('Provider', { exact: true })).toHaveValue('clerk');
  await expect(page.getByLabel('Model', { exact: true })).toHaveValue('scripted-1');
  await first.type(page.getByLabel('Prompt', { exact: true }), PROMPT);
  await first.type(page.getByLabel('Input', { exact: true }), 'A ticket from Lima: the door is stuck.');
  await first.click(page.getByRole('button', { name: 'Run', exact: true }));
  await page.waitForURL(/\/runs\//);
  await expect(page.getByTestId('run-status')).toContainText('✓', { timeout: 30_000 });
  await expect(page.getByText('Lima', { exact: true }).first()).toBeVisible();
  expect(first.count()).toBeLessThanOrEqual(6);
  console.log(`clicks: first result ${first.count()}, connecting ${connecting.count()}`);

  const { items } = await api.read(experimentsSchema, 'GET', '/api/v1/experiments');
  const made = items.find(({ name }) => name === PROMPT);
  const { settings } = await api.read(experimentSchema, 'GET', `/api/v1/experiments/${made?.id}`);
  expect(settings.generator).toMatchObject({ provider: 'clerk', model: 'scripted-1', instructions: PROMPT });
  expect(settings.criteria).toMatchObject([
    { name: 'task_done', evaluator: 'llm', description: expect.stringContaining(PROMPT) },
  ]);

  // Each next step is one click away.
  await page.reload();
  const next = page.getByTestId('next-steps');
  await expect(next.getByRole('link')).toHaveText([
    'Add a criterion',
    'Add more cases',
    'Set up lessons',
    'Ask a reviewer',
  ]);
  await next.getByRole('link', { name: 'Add a criterion' }).click();
  await expect(page.getByRole('button', { name: 'Add a criterion' })).toBeVisible();
  await expect(formPart(page, 'People and budget').first()).not.toHaveAttribute('open');
  await page.goto(`/experiments/${made?.id}?start=import`);
  await expect(page.getByRole('dialog').getByLabel('Cases', { exact: true })).toBeVisible();
  await setDefaultModel(app.address, { provider: 'practice', model: 'practice-1' });
  await provider.stop();
});

test('a preview streams an output with time and cost, a CSV runs, and all errors show at their fields', async ({
  page,
  app,
  expectConsole,
}) => {
  // The browser logs every error response to the console.
  expectConsole(/400/);
  const provider = await startScriptedProvider(clerk);
  const api = openApi(app.address);
  await createProvider(api, { name: 'csv-clerk', baseUrl: provider.baseUrl, apiKey: KEY });
  await page.goto('/experiments/new');
  await formIsReady(page);
  expect(await visibleFields(page)).toBeLessThanOrEqual(12);
  await expect(page.getByText(/^(changed|\d+ changes)$/)).toHaveCount(0);
  for (const template of ['Exact answers', 'Agent with tools', 'Tune a prompt', 'Your own prompt']) {
    await page.getByLabel('Start from').selectOption(template);
    await expect(page.getByLabel('Start from').locator('option:checked')).toHaveText(template);
    expect(await visibleFields(page)).toBeLessThanOrEqual(12);
  }
  expect(await violationsInBothThemes(page)).toEqual([]);

  // With an empty form, all errors are shown together.
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.locator('[data-slot="field-error"]')).toHaveText([
    /^Name must not be empty/,
    'Input must not be empty',
  ]);
  const summary = page.getByRole('region', { name: 'Not saved: 2 settings have an error' });
  await summary.getByRole('link', { name: 'Input must not be empty' }).click();
  await expect(page.getByLabel('Input', { exact: true })).toBeFocused();

  await page.getByLabel('Provider', { exact: true }).selectOption('csv-clerk');
  await page.getByLabel('Model', { exact: true }).fill('scripted-1');
  await page.getByLabel('Prompt', { exact: true }).fill(`${PROMPT} Ticket: {{input}}`);
  await page.getByLabel('Input', { exact: true }).fill('A ticket from Bern.');
  const preview = page.getByTestId('answer-preview');
  await preview.getByRole('button', { name: 'Preview' }).click();
  await expect(preview.getByTestId('preview-facts')).toContainText(
    /Answered (\d+ ms|[\d.]+ s) · \d+ tokens · no price/,
  );
  await expect(preview.getByRole('region', { name: 'Answer' })).toHaveText('Bern');
  expect(provider.calls.at(-1)?.stream).toBe(true);
  const nothing = await api.read(experimentsSchema, 'GET', '/api/v1/experiments?search=Name+the+city');
  expect(nothing.items.filter(({ name }) => name.includes('Ticket'))).toEqual([]);

  await page.getByRole('radio', { name: 'CSV or JSON' }).click();
  await page.getByRole('button', { name: 'Run cases' }).click();
  await expect(page.locator('[data-slot="field-error"]')).toContainText('Paste at least one case');
  await page
    .getByLabel('Cases', { exact: true })
    .fill('input,reference\nA ticket from Oslo.,Oslo\n"A ticket from Lima, again.",Lima\n');
  await expect(page.getByText('2 cases read')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await excessWidth(page)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByRole('button', { name: 'Run 2 cases' }).click();
  await page.waitForURL(/batch=/);
  await expect(page.getByTestId('batch-progress')).toBeHidden({ timeout: 60_000 });
  await expect(page.getByTestId('runs').locator('tbody tr')).toHaveCount(2);
  await expect(page.getByTestId('next-steps')).toBeVisible();

  // A non-default setting is marked on its collapsed section, also after a later change.
  await page.getByRole('link', { name: 'Change settings' }).click();
  await expect(page.getByLabel('Prompt', { exact: true })).toHaveValue(`${PROMPT} Ticket: {{input}}`);
  const loop = formPart(page, 'Loop').first();
  await expect(loop.locator('summary').first()).not.toContainText('customized');
  await expect(async () => {
    if ((await loop.getAttribute('open')) === null) await loop.locator('summary').first().click();
    await page.getByLabel('Maximum revisions').fill('1');
    await expect(loop.locator('summary').first()).toContainText('customized', { timeout: 1_000 });
  }).toPass();
  await provider.stop();
});

test('cases with column names of another tool are mapped in the new experiment form', async ({ page, app }) => {
  await page.goto('/experiments/new');
  await formIsReady(page);
  await page.getByLabel('Prompt', { exact: true }).fill('Answer: {{input}} For {{metadata.audience}}.');
  await page.getByLabel('Name', { exact: true }).first().fill('Foreign headers');
  await page.getByRole('radio', { name: 'CSV or JSON' }).click();
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose file' }).click();
  const rows = ['no;question;ideal answer;audience', '1;How long?;10 minutes;admins', '2;How many?;3;everyone'];
  await (await choosing).setFiles({ name: 'q.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\r\n')) });
  const columns = page.getByTestId('import-mapping');
  await expect(columns).toContainText('4 columns, matched by name');
  await expect(columns.getByLabel('Import question as')).toHaveValue('input');
  await expect(columns.getByLabel('Import ideal answer as')).toHaveValue('reference');
  await columns.getByLabel('Import no as').selectOption('ignore');
  await columns.getByLabel('Import audience as').selectOption('variable');
  const stored = page.getByTestId('would-be-stored');
  await expect(stored).toContainText('audience = admins');
  await expect(stored).not.toContainText('no = ');
  await columns.getByLabel('Import question as').selectOption('ignore');
  await expect(columns.getByRole('alert')).toHaveText('Choose the column that holds the input.');
  await columns.getByLabel('Import question as').selectOption('input');
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await excessWidth(page)).toBe(0);
  }
  await page.getByRole('button', { name: 'Run 2 cases' }).click();
  await page.waitForURL(/batch=/);
  const { items } = await openApi(app.address).read(datasetsSchema, 'GET', '/api/v1/datasets');
  const made = items.find(({ name }) => name === 'Foreign headers, cases');
  await page.goto(`/datasets/${made?.id}`);
  await expect(page.getByTestId('cases')).toContainText('How long?');
  await expect(page.getByTestId('cases')).not.toContainText('no = ');
});

test('tuning shows the split of pasted cases and holds out enough of them in one click', async ({ page }) => {
  await page.goto('/experiments/new');
  await formIsReady(page);
  await page.getByLabel('Start from').selectOption('Tune a prompt');
  await page.getByRole('radio', { name: 'CSV or JSON' }).click();
  const rows = Array.from({ length: 16 }, (_, index) => `question ${index},answer ${index}`);
  await page.getByLabel('Cases', { exact: true }).fill(['input,reference', ...rows].join('\n'));
  const split = page.getByRole('status', { name: 'Cases by split' });
  await expect(split).toContainText('7 training, 5 validation, 4 held out');
  await expect(split).toContainText('a gain usually cannot be confirmed');
  await split.getByRole('button', { name: 'Hold out 6 cases' }).click();
  await expect(split).toContainText('6 training, 4 validation, 6 held out');
  await expect(split.getByRole('button')).toHaveCount(0);
  expect(await violationsInBothThemes(page)).toEqual([]);
});

/** Counts the visible fields before a section is expanded. A row of options counts as one. */
function visibleFields(page: Page): Promise<number> {
  return page.locator('form:has(#more-settings)').evaluate((form) => {
    const fields = form.querySelectorAll(
      'input:not([tabindex="-1"], [type="radio"]), select, textarea, [data-slot="segmented"]',
    );
    return [...fields].filter((field) => field.checkVisibility({ visibilityProperty: true })).length;
  });
}
