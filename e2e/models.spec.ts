import type { Locator, Page } from '@playwright/test';
import { openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { createProvider } from './create-provider.ts';
import { type ScriptedRequest, startScriptedProvider } from './scripted-provider.ts';

/** Fake server that responds with JSON, does not support native tools, and uses tools described in the prompt. */
function oldServer({ body, messages }: ScriptedRequest) {
  if (body.tools !== undefined)
    return { status: 400, body: { error: { message: 'scripted-1 does not support tools' } } };
  const hasToolInstructions = messages.some(({ content }) => content.includes('Action Input'));
  return {
    text: hasToolInstructions ? 'Thought: I add.\nAction: add\nAction Input: {"a": 20, "b": 22}' : '{"word": "ready"}',
  };
}

async function add(page: Page, name: string, baseUrl: string, key: string): Promise<void> {
  const form = page.getByRole('form', { name: 'Add provider' });
  // Retries, because a selection before hydration is lost.
  await expect(async () => {
    await form.getByLabel('Provider').selectOption({ label: 'Any OpenAI-compatible server' });
    await expect(form.getByLabel('Name')).toHaveValue('', { timeout: 500 });
  }).toPass();
  await form.getByLabel('Name').fill(name);
  await form.getByLabel('Base URL').fill(baseUrl);
  await form.getByLabel('Key').fill(key);
  await form.getByRole('button', { name: 'Add and test' }).click();
}

test('a server is added, tested, called, priced and moved; its detected capabilities are kept', async ({ page }) => {
  const provider = await startScriptedProvider(oldServer);
  await page.goto('/models');
  const path = page.getByRole('navigation', { name: 'Path' });
  await expect(path.getByRole('link', { name: 'Settings' })).toHaveAttribute('href', '/settings');
  await add(page, 'shed', provider.baseUrl, 'sk-shed-0123456789abWXYZ');
  const section = page.getByTestId('provider-shed');
  // The samples of the first start run in parallel.
  await expect(section.locator('summary')).toContainText('key ends in WXYZ · 1 model · not used yet', {
    timeout: 30_000,
  });
  await expect(section.locator('summary')).toContainText('✓ Key works');

  await section.locator('summary').click();
  await section.getByLabel('Test a model').fill('scripted-1');
  await section.getByRole('button', { name: 'Test model' }).click();
  await expect(section.getByRole('status')).toContainText('uses tools if the prompt describes them');
  await expect(section.locator('summary')).toContainText('works, JSON by prompt');

  const prices = page.getByRole('form', { name: 'Prices' });
  await expect(prices.getByRole('row', { name: /scripted-1 shed/ })).toContainText('no price');
  await prices.getByLabel('Input price of scripted-1, shed').fill('much');
  await prices.getByLabel('Output price of scripted-1, shed').fill('2');
  await prices.getByRole('button', { name: 'Save 1 price' }).click();
  await expect(prices.getByRole('alert')).toContainText('scripted-1: the input price must be');
  const faulty = prices.getByLabel('Input price of scripted-1, shed');
  await expect(faulty).toHaveAttribute('aria-invalid', 'true');
  await faulty.fill('0,5');
  await prices.getByRole('button', { name: 'Save 1 price' }).click();
  await expect(prices.getByRole('row', { name: /scripted-1 shed/ })).toContainText('yours');

  await page.reload();
  await expect(section.locator('summary')).toContainText('works, JSON by prompt');
  await expect(async () => {
    if ((await section.getAttribute('open')) === null) await section.locator('summary').click();
    await section.getByLabel('Base URL').fill('http://127.0.0.1:9/v1');
    await expect(section.getByText('Saving deletes the stored key')).toBeVisible({ timeout: 500 });
  }).toPass();
  await section.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(section.getByRole('alert')).toContainText('No connection');
  await expect(section.getByRole('alert')).toContainText('Check that the server is running');
  await expect(section.locator('summary')).toContainText('no key · not used yet');
  await expect(page.getByText('sk-shed')).toHaveCount(0);

  await page.getByRole('button', { name: 'Look for servers' }).click();
  await expect(page.getByRole('button', { name: 'Look again' })).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: '127.0.0.1:11434' })).toBeVisible();
  await provider.stop();
});

test('a new provider is listed before its test ends', async ({ page }) => {
  const provider = await startScriptedProvider(() => ({ hang: true }));
  await page.goto('/models');
  await add(page, 'slow', provider.baseUrl, 'sk-slow');
  await expect(page.getByTestId('provider-slow')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Adding and testing' })).toBeDisabled();
  await provider.stop();
});

test('a new key is not sent to a URL that another owner has entered since', async ({ page, app }) => {
  const [seen, other] = await Promise.all([startScriptedProvider(oldServer), startScriptedProvider(oldServer)]);
  const api = openApi(app.address);
  await createProvider(api, { name: 'moved', baseUrl: seen.baseUrl });
  await page.goto('/models');
  const section = page.getByTestId('provider-moved');
  await expect(async () => {
    if ((await section.getAttribute('open')) === null) await section.locator('summary').click();
    await expect(section.getByLabel('Base URL')).toHaveValue(seen.baseUrl, { timeout: 500 });
  }).toPass();
  await api.call('PATCH', '/api/v1/providers/moved', { baseUrl: other.baseUrl });
  await section.getByLabel('New key').fill('sk-seen-0123456789abWXYZ');
  await section.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(section.getByText(`Someone changed it to ${other.baseUrl} while you were editing.`)).toBeVisible();
  await expect(section.getByLabel('Base URL')).toHaveValue(seen.baseUrl);
  await expect(section.getByLabel('New key')).toHaveValue('sk-seen-0123456789abWXYZ');
  await section.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(section.locator('summary')).toContainText('✓ Key works');
  await expect(section.getByLabel('Base URL')).toHaveValue(seen.baseUrl);
  expect(other.calls).toEqual([]);
  await Promise.all([seen.stop(), other.stop()]);
});

test('a section opened before hydration has its settings', async ({ page, app }) => {
  await createProvider(openApi(app.address), { name: 'early', baseUrl: 'http://127.0.0.1:9/v1' });
  const scripts = Promise.withResolvers<void>();
  await page.route('**/_next/static/**/*.js', async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.goto('/models', { waitUntil: 'commit' });
  const section = page.getByTestId('provider-early');
  await section.locator('summary').click();
  await expect(section).toHaveAttribute('open');
  scripts.resolve();
  await expect(section.getByLabel('Base URL')).toHaveValue('http://127.0.0.1:9/v1');
});

test('an option that another owner has changed since is reported only at that option', async ({ page, app }) => {
  const api = openApi(app.address);
  await createProvider(api, { name: 'asked', baseUrl: 'http://127.0.0.1:9/v1', options: { query: 'tenant=one' } });
  await page.goto('/models');
  const section = page.getByTestId('provider-asked');
  await expect(async () => {
    if ((await section.getAttribute('open')) === null) await section.locator('summary').click();
    await expect(section.getByLabel('Query parameters')).toHaveValue('tenant=one', { timeout: 500 });
  }).toPass();
  await api.call('PATCH', '/api/v1/providers/asked', { options: { query: 'tenant=two' } });
  await section.getByLabel('Query parameters').fill('tenant=three');
  await section.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(section.getByText('Someone changed it to tenant=two while you were editing.')).toBeVisible();
  await expect(section.getByText('Someone changed it to')).toHaveCount(1);
  await section.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(section.getByText('Someone changed it to')).toHaveCount(0);
  await expect(section.getByLabel('Query parameters')).toHaveValue('tenant=three');
});

test('a default model that was chosen but not saved stays when another owner changes the defaults', async ({
  page,
  app,
}) => {
  const api = openApi(app.address);
  const server = await startScriptedProvider(oldServer);
  await page.goto('/models');
  const form = page.getByRole('form', { name: 'Default models' });
  const judge = form.getByLabel('Judge', { exact: true });
  await expect(async () => {
    await judge.selectOption('practice');
    await expect(form.getByRole('button', { name: 'Save defaults' })).toBeEnabled({ timeout: 500 });
  }).toPass();
  await form.getByLabel('Judge model ID').fill('practice-2');
  await api.call('PATCH', '/api/v1/default-models', { judge: { provider: 'practice', model: 'practice-1' } });
  await add(page, 'beside', server.baseUrl, 'sk-beside-0123456789abWXYZ');
  await expect(page.getByTestId('provider-beside')).toBeVisible();
  await expect(form).toContainText('Someone changed it to practice / practice-1 while you were editing.');
  await expect(form.getByLabel('Judge model ID')).toHaveValue('practice-2');
  await api.call('PATCH', '/api/v1/default-models', { judge: null });
  await server.stop();
});

test('a batch of 20 with a bad key stops after a few calls and is recovered in three clicks', async ({ page, app }) => {
  const provider = await startScriptedProvider(({ headers, prompt }) =>
    headers.authorization === 'Bearer sk-right'
      ? { text: /Say (word\d+)/.exec(prompt)?.[1] ?? 'ready' }
      : { status: 401, body: { error: { message: 'Incorrect API key provided' } } },
  );
  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    await target.click();
  };
  try {
    const api = openApi(app.address);
    await createProvider(api, { name: 'picky', baseUrl: provider.baseUrl, apiKey: 'sk-wrong' });
    const experiment = await api.createExperiment({
      name: 'Echo',
      mode: 'revise',
      maxIterations: 1,
      generator: { provider: 'picky', model: 'scripted-1' },
      criteria: [{ name: 'same', evaluator: 'reference', config: { match: 'exact' } }],
    });
    await page.goto('/models');
    await expect(page.getByTestId('provider-picky').locator('summary')).toContainText('Key not tested');
    const cases = Array.from({ length: 20 }, (_, at) => ({ input: `Say word${at}`, reference: `word${at}` }));
    await api.call('POST', `/api/v1/experiments/${experiment}/runs`, { cases });

    await page.goto(`/experiments/${experiment}`);
    const failure = page.getByTestId('batch-failure');
    await expect(failure).toContainText('picky returned 401 Unauthorized.', { timeout: 30_000 });
    await expect(failure).toContainText('Hone paused the other');
    await expect(failure).toHaveCount(1);
    const rejectedCalls = provider.calls.length;
    expect(rejectedCalls).toBeLessThanOrEqual(5);

    await click(failure.getByRole('link', { name: 'Update the API key' }));
    const section = page.getByTestId('provider-picky');
    await expect(section.locator('summary')).toContainText('Key refused');
    await section.getByLabel('New key').fill('sk-right');
    await click(section.getByRole('button', { name: 'Save', exact: true }));
    await expect(section.locator('summary')).toContainText('✓ Key works');
    await click(section.getByRole('button', { name: 'Resume batch' }));
    await page.waitForURL(`**/experiments/${experiment}**`);
    expect(clicks).toBeLessThanOrEqual(3);
    await expect(page.getByTestId('stop-reasons')).toContainText(/quality met.*20/, { timeout: 60_000 });
    await expect(page.getByTestId('batch-failure')).toHaveCount(0);
    await expect(page.getByTestId('batch-progress')).toHaveCount(0);
    // One call to test the key and one per run: no call is paid twice.
    expect(provider.calls.length - rejectedCalls).toBe(21);
  } finally {
    await provider.stop();
  }
});

test('a rejected temperature is shown on the run and under Models, and sent again on request', async ({
  page,
  app,
}) => {
  const provider = await startScriptedProvider(({ body }) =>
    body.temperature === undefined
      ? { text: 'It is 4.', delayMs: 2_000 }
      : {
          status: 400,
          body: { error: { message: "Unsupported parameter: 'temperature' is not supported with this model." } },
        },
  );
  try {
    const api = openApi(app.address);
    await createProvider(api, { name: 'warm', baseUrl: provider.baseUrl, timeoutSeconds: 200 });
    const experiment = await api.createExperiment({
      name: 'Refuses a temperature',
      mode: 'retry',
      generator: { provider: 'warm', model: 'warm-1', temperature: 0.2 },
      criteria: [{ name: 'answer', evaluator: 'regex', config: { pattern: '4' } }],
    });
    const runId = await api.startRun(experiment, 'What is 2 + 2?');
    // Opened during the call, to check that the detected capability appears without a reload.
    await page.goto(`/runs/${runId}`);
    expect(await api.waitForRun(runId, ['finished'])).toMatchObject({ success: true });
    expect(provider.calls).toHaveLength(2);
    const warning = 'warm/warm-1 rejects temperature. Hone no longer sends it.';
    await expect(page.getByText(warning)).toBeVisible();

    await page.goto('/models');
    const section = page.getByTestId('provider-warm');
    const refused = section.getByRole('region', { name: 'Refused parameters' });
    await expect(async () => {
      if ((await section.getAttribute('open')) === null) await section.locator('summary').click();
      await expect(refused).toContainText(warning, { timeout: 500 });
    }).toPass();
    await expect(section.getByLabel('Timeout (seconds)')).toHaveValue('200');
    await refused.getByRole('button', { name: 'Send again to warm-1' }).click();
    await expect(refused).toHaveCount(0);

    await section.getByLabel('Test a model').fill('warm-1');
    await section.getByRole('button', { name: 'Test model' }).click();
    await expect(refused).toContainText(warning, { timeout: 20_000 });
    await expect(section.getByRole('status')).toContainText('"warm-1" answers');
  } finally {
    await provider.stop();
  }
});
