import { promptDetailSchema } from '#lib/prompts/schema.ts';
import { openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { createProvider } from './create-provider.ts';
import { startScriptedProvider } from './scripted-provider.ts';

test('model settings are entered per role, sent, and removed if the model rejects them', async ({ page, app }) => {
  const provider = await startScriptedProvider(({ body }) =>
    body.top_p === undefined
      ? { text: 'It is 4.' }
      : {
          status: 400,
          body: { error: { message: "Unsupported parameter: 'top_p' is not supported with this model." } },
        },
  );
  try {
    const api = openApi(app.address);
    await createProvider(api, { name: 'sampled', baseUrl: provider.baseUrl });
    const experiment = await api.createExperiment({
      name: 'Samples',
      mode: 'retry',
      generator: { provider: 'sampled', model: 'writer' },
      criteria: [{ name: 'answer', evaluator: 'regex', config: { pattern: '4' } }],
    });

    await page.goto(`/experiments/${experiment}/edit?open=task`);
    const drafts = page.getByRole('group', { name: 'Model settings of drafts' });
    await expect(async () => {
      await page.getByText('Model settings of each role').click();
      await page
        .locator('summary')
        .filter({ hasText: /^drafts$/ })
        .click({ timeout: 1_000 });
      await expect(drafts).toBeVisible({ timeout: 500 });
    }).toPass();
    // The fields stay open when the only setting is cleared.
    await drafts.getByLabel('Seed').fill('7');
    await drafts.getByLabel('Seed').fill('');
    await drafts.getByLabel('Top P').fill('1,5');
    await drafts.getByLabel('Seed').fill('7');
    await drafts.getByLabel('Stop sequences').fill('END\n\\n\\n');
    await drafts.getByLabel('Extra headers').fill('X-Team: research');
    await drafts.getByLabel('Provider options').fill('{"user": ');
    await page.getByRole('button', { name: /^Save/ }).click();
    await expect(drafts.getByText('must be a number from 0 to 1, got 1.5')).toBeVisible();
    await expect(drafts.getByText('must be a JSON object')).toBeVisible();
    await drafts.getByLabel('Top P').fill('0.9');
    await drafts.getByLabel('Provider options').fill('{"user": "somebody"}');
    await page.getByRole('button', { name: /^Save/ }).click();
    await page.waitForURL(/\/experiments\/[0-9a-f-]+(\?.*)?$/);

    const runId = await api.startRun(experiment, 'What is 2 + 2?');
    expect(await api.waitForRun(runId, ['finished'])).toMatchObject({ success: true });
    expect(provider.calls).toHaveLength(2);
    const [refused, sent] = provider.calls;
    expect(refused?.body).toMatchObject({ top_p: 0.9 });
    expect(sent?.body).toMatchObject({ seed: 7, stop: ['END', '\n\n'], user: 'somebody' });
    expect(sent?.body).not.toHaveProperty('top_p');
    expect(sent?.headers['x-team']).toBe('research');

    await page.goto(`/experiments/${experiment}?tab=settings`);
    await expect(page.getByText('Models refuse some of these settings')).toBeVisible();
    await expect(page.getByText(/top P 0.9, seed 7, stops at “END” and “\\n\\n”/)).toBeVisible();
    await page.getByRole('link', { name: 'Remove them' }).click();
    await expect(page.getByText('sampled/writer rejects top_p. Hone no longer sends it.')).toBeVisible();
    const rejected = page.getByText('rejects top_p');
    await expect(async () => {
      // A click that worked slowly has removed the button, too.
      if ((await rejected.count()) > 0)
        await page.getByRole('button', { name: 'Remove from settings' }).click({ timeout: 1_000 });
      await expect(rejected).toHaveCount(0, { timeout: 500 });
    }).toPass();
    await page.getByRole('button', { name: /^Save/ }).click();
    await page.waitForURL(/\/experiments\/[0-9a-f-]+(\?.*)?$/);
    await page.goto(`/experiments/${experiment}?tab=settings`);
    await expect(page.getByText(/seed 7, stops at/)).toBeVisible();
    await expect(page.getByText('Models refuse some of these settings')).toHaveCount(0);
  } finally {
    await provider.stop();
  }
});

test('the playground sends its model settings, and a prompt saves them in its setup', async ({
  page,
  app,
  expectConsole,
}) => {
  // The browser logs every error response to the console.
  expectConsole(/400/);
  const provider = await startScriptedProvider(({ prompt }) => ({ text: `Heard: ${/Repeat \w+/.exec(prompt)?.[0]}` }));
  try {
    const api = openApi(app.address);
    await createProvider(api, { name: 'played', baseUrl: provider.baseUrl });
    const setup = { models: [{ provider: 'played', model: 'writer' }] };
    await api.call('POST', '/api/v1/prompts', { name: 'settings/playground', text: 'Repeat {{input}}', setup });
    await page.goto('/prompts/settings%2Fplayground');
    const pane = page.getByTestId('playground');
    const answers = pane.getByRole('group', { name: 'Model settings of answers' });
    await expect(async () => {
      await pane.getByText('Model settings', { exact: true }).click();
      await pane
        .locator('summary')
        .filter({ hasText: /^answers$/ })
        .click({ timeout: 1_000 });
      await expect(answers).toBeVisible({ timeout: 500 });
    }).toPass();
    await answers.getByLabel('Temperature').fill('3');
    await answers.getByLabel('Max output tokens').fill('50');
    await answers.getByLabel('Reasoning effort').selectOption('low');
    await answers.getByLabel('Stop sequences').fill('END');
    await answers.getByLabel('Extra headers').fill('X-Team: research');
    await answers.getByLabel('Provider options').fill('{"user": ');
    await pane.getByLabel('Input').fill('this');
    await pane.getByRole('button', { name: 'Run' }).click();
    await expect(answers.getByText('must be a number from 0 to 2, got 3')).toBeVisible();
    await answers.getByLabel('Temperature').fill('0,3');
    await pane.getByRole('button', { name: 'Run' }).click();
    await expect(answers.getByText('must be a JSON object')).toBeVisible();
    await answers.getByLabel('Provider options').fill('{"user": "somebody"}');
    await pane.getByRole('button', { name: 'Run' }).click();
    await expect(page.getByTestId('typed-answer')).toContainText('Heard: Repeat this');
    expect(provider.calls).toHaveLength(1);
    expect(provider.calls[0]?.body).toMatchObject({
      ...{ temperature: 0.3, max_tokens: 50, stop: ['END'], reasoning_effort: 'low', user: 'somebody' },
    });
    expect(provider.calls[0]?.body).not.toHaveProperty('top_p');
    expect(provider.calls[0]?.headers['x-team']).toBe('research');

    await expect(
      page
        .getByTestId('playground-history')
        .getByRole('button', { name: /^Show run/ })
        .first(),
    ).toBeVisible();
    // The next visit starts with the settings of the latest run.
    await page.reload();
    await expect(answers.getByLabel('Temperature')).toHaveValue('0.3');
    await expect(answers.getByLabel('Stop sequences')).toHaveValue('END');

    await page.getByRole('button', { name: 'Edit setup' }).click();
    const dialog = page.getByRole('dialog', { name: 'Setup' });
    await dialog.getByText('Model settings', { exact: true }).click();
    await dialog
      .locator('summary')
      .filter({ hasText: /^judges$/ })
      .click();
    await dialog.getByRole('group', { name: 'Model settings of judges' }).getByLabel('Seed').fill('7');
    await dialog.getByRole('button', { name: 'Save setup' }).click();
    await expect(dialog).toHaveCount(0);
    expect(await api.read(promptDetailSchema, 'GET', '/api/v1/prompts/settings%2Fplayground/versions')).toMatchObject({
      setup: { modelSettings: { generate: null, evaluate: { seed: 7 } } },
    });
  } finally {
    await provider.stop();
  }
});

test('a cloud provider is added with its own fields and tested with a named model', async ({ page }) => {
  const provider = await startScriptedProvider(() => ({ text: '{"word": "ready"}' }));
  try {
    await page.goto('/models');
    const form = page.getByRole('form', { name: 'Add provider' });
    await expect(async () => {
      await form.getByLabel('Provider').selectOption({ label: 'Azure OpenAI' });
      await expect(form.getByLabel('Resource name')).toBeVisible({ timeout: 500 });
    }).toPass();
    await form.getByLabel('Name', { exact: true }).fill('azure-lab');
    await form.getByLabel('Resource name').fill('not a label');
    await form.getByLabel('Key').fill('azure-key-0123456789');
    await form.getByRole('button', { name: 'Add and test' }).click();
    await expect(form.getByText('must be the name of an Azure resource: letters, digits and hyphens')).toBeVisible();
    await form.getByLabel('Resource name').fill('');
    await form.getByLabel('Base URL').fill(provider.baseUrl);
    await form.getByLabel('Test with deployment').fill('my-deployment');
    await form.getByRole('button', { name: 'Add and test' }).click();
    const section = page.getByTestId('provider-azure-lab');
    await expect(section.locator('summary')).toContainText('✓ Key works', { timeout: 30_000 });
    expect(provider.calls[0]).toMatchObject({ model: 'my-deployment' });
    expect(provider.calls[0]?.headers['api-key']).toBe('azure-key-0123456789');

    await section.locator('summary').click();
    await section.getByRole('button', { name: 'Add headers' }).click();
    await section.getByLabel('Header', { exact: true }).fill('X-Gateway-Key');
    await section.getByLabel('Value', { exact: true }).fill('gateway-secret-4321');
    await section.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(section.getByText('Sent with every request: X-Gateway-Key, ends in 4321.')).toBeVisible();
    await section.getByLabel('Test a model').fill('my-deployment');
    await section.getByRole('button', { name: 'Test model' }).click();
    await expect.poll(() => provider.calls.at(-1)?.headers['x-gateway-key']).toBe('gateway-secret-4321');
    await expect(page.getByText('gateway-secret')).toHaveCount(0);
  } finally {
    await provider.stop();
  }
});
