import type { Page } from '@playwright/test';
import { lessonDetailSchema } from '#lib/core/lesson-library.ts';
import { openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { clickUntil, pressUntil } from './press-until.ts';

/** Holds back all requests of a page that change something. Returns the function that lets them continue. */
async function holdChanges(page: Page): Promise<() => void> {
  const released = Promise.withResolvers<void>();
  await page.route('**/*', async (route) => {
    if (route.request().method() !== 'GET') await released.promise;
    await route.continue();
  });
  return () => released.resolve();
}

async function expectLinkToRuns(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Runs', level: 1 })).toBeVisible();
}

for (const { name, pathOf } of [
  { name: 'run', pathOf: (runId: string) => `/runs/${runId}` },
  { name: 'inbox', pathOf: (runId: string) => `/inbox?item=${runId}` },
]) {
  test(`leaving the ${name} sends a decision that can still be undone`, async ({ page, app }) => {
    const api = openApi(app.address);
    const experiment = await api.createExperiment({ maxIterations: 0, callbacks: { pause: 'always' }, name });
    const runId = await api.startRun(experiment);
    await api.waitForRun(runId, ['waiting']);
    await page.goto(pathOf(runId));
    await pressUntil(page, 'a', page.getByText('Your draft: accept v0'));
    await page.getByRole('link', { name: 'Models', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Models', level: 1 })).toBeVisible();
    const run = await api.waitForRun(runId, ['finished'], 5_000);
    expect(run.decisions).toMatchObject([{ decision: 'accept', version: 0, by: 'person' }]);
  });
}

test('leaving the review submits a verdict that could still be undone', async ({ page, app }) => {
  const api = openApi(app.address);
  const text = 'Say in the first words of a letter of thanks what the thanks are for.';
  const { id } = await api.read(lessonDetailSchema, 'POST', '/api/v1/lessons', { kind: 'lesson', text });
  const status = async () => (await api.read(lessonDetailSchema, 'GET', `/api/v1/lessons/${id}`)).status;
  await expect.poll(status, { timeout: 30_000 }).toBe('quarantined');
  await page.goto('/lessons/review');
  await expect(page.getByRole('heading', { level: 1, name: text }).filter({ visible: true })).toBeVisible();
  await pressUntil(page, 'x', page.locator('label', { hasText: 'Reason' }).locator('input:focus'));
  await page.keyboard.type('too general');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('held-verdict')).toBeVisible();
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Models', level: 1 })).toBeVisible();
  await expect.poll(status, { timeout: 5_000 }).toBe('rejected');
});

test('leaving a page while a form waits for its response shows the next page at once', async ({ page }) => {
  await page.goto('/models');
  const answer = Promise.withResolvers<void>();
  await page.route('**/api/v1/providers/*/test?*', async (route) => {
    await answer.promise;
    await route.continue();
  });
  const provider = page.getByTestId('provider-practice');
  await provider.locator('summary').click();
  await clickUntil(
    provider.getByRole('button', { name: 'Test connection' }),
    provider.getByRole('button', { name: 'Testing', exact: true }),
  );
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Runs', level: 1 })).toBeVisible();
  answer.resolve();
});

test('leaving a page while an import file is parsed shows the next page at once', async ({ page }) => {
  await page.goto('/prompts');
  const answer = Promise.withResolvers<void>();
  const asked = page.waitForRequest('**/api/v1/prompt-imports');
  await page.route('**/api/v1/prompt-imports', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await clickUntil(page.getByRole('button', { name: 'Import' }), page.getByRole('dialog'));
  const file = { name: 'program.json', mimeType: 'application/json', buffer: Buffer.from('{}') };
  await page.getByLabel('File').setInputFiles(file);
  await asked;
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Runs', level: 1 })).toBeVisible();
  answer.resolve();
});

test('a form stays busy until the next page is shown', async ({ page, app }) => {
  const api = openApi(app.address);
  const experiment = await api.createExperiment({ maxIterations: 0 });
  await page.goto(`/experiments/${experiment}`);
  const shown = Promise.withResolvers<void>();
  const next = page.waitForRequest(/\/runs\/.*_rsc=/);
  await page.route(/\/runs\/.*_rsc=/, async (route) => {
    await shown.promise;
    await route.continue();
  });
  const busy = page.getByRole('button', { name: 'Starting' });
  await expect(async () => {
    // A click that worked slowly has renamed the button, too.
    if (await busy.isHidden()) {
      await page.getByLabel('Input', { exact: true }).fill('Explain tides.', { timeout: 2_000 });
      await page.getByRole('button', { name: 'Run', exact: true }).click({ timeout: 2_000 });
    }
    await expect(busy).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await next;
  await expect(busy).toBeDisabled();
  shown.resolve();
  await page.waitForURL(/\/runs\//);
});

test('leaving the form of an experiment while it starts a run shows the next page at once', async ({ page }) => {
  await page.goto('/experiments/new');
  const release = await holdChanges(page);
  await page.getByLabel('Input', { exact: true }).fill('Explain tides.');
  await clickUntil(
    page.getByRole('button', { name: 'Run', exact: true }),
    page.getByRole('button', { name: 'Starting', exact: true }),
  );
  await expectLinkToRuns(page);
  release();
});

test('leaving a form shows the next page while an estimate is requested', async ({ page }) => {
  await page.goto('/experiments/new');
  await expect(page.getByTestId('estimate')).toBeVisible();
  const answer = Promise.withResolvers<void>();
  const next = Promise.withResolvers<void>();
  await page.route('**/*', async (route) => {
    const request = route.request();
    if (request.method() === 'POST') await answer.promise;
    else if (/\/runs\?.*_rsc=/.test(request.url())) await next.promise;
    await route.continue();
  });
  await page.getByLabel('Start from').selectOption('Exact answers');
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  // Longer than the debounce of an estimate.
  await page.waitForTimeout(1_000);
  next.resolve();
  await expect(page.getByRole('heading', { name: 'Runs', level: 1 })).toBeVisible();
  answer.resolve();
});

test('leaving a run while a decision is sent shows the next page at once', async ({ page, app }) => {
  const api = openApi(app.address);
  const runId = await api.startRun(await api.createExperiment({ maxIterations: 0, callbacks: { pause: 'always' } }));
  await api.waitForRun(runId, ['waiting']);
  await page.goto(`/runs/${runId}`);
  const release = await holdChanges(page);
  await pressUntil(page, 'a', page.getByText('Your draft: accept v0'));
  await page.keyboard.press('Control+Enter');
  await expect(page.getByTestId('decision-bar').getByRole('button', { name: 'Sending' })).toBeVisible();
  await expectLinkToRuns(page);
  release();
  await api.waitForRun(runId, ['finished']);
});

test('leaving a run while a requested score is sent shows the next page at once', async ({ page, app }) => {
  const api = openApi(app.address);
  const criteria = [{ name: 'taste', evaluator: 'human', threshold: 0.5, config: { question: 'Would you send it?' } }];
  const runId = await api.startRun(await api.createExperiment({ criteria, qualityThreshold: 0.5 }));
  await api.waitForRun(runId, ['waiting']);
  await page.goto(`/runs/${runId}`);
  const release = await holdChanges(page);
  const form = page.getByRole('form', { name: 'Requested scores' });
  const sending = form.getByRole('button', { name: /^Sending/ });
  await expect(async () => {
    // A click that worked slowly has renamed the button, too.
    if (await sending.isHidden()) {
      await form.getByLabel('Your score of taste').fill('0.9', { timeout: 1_000 });
      await form.getByRole('button', { name: /^Submit score/ }).click({ timeout: 1_000 });
    }
    await expect(sending).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expectLinkToRuns(page);
  release();
});

test('a prompt that is saved after its page was left does not open', async ({ page, app }) => {
  await page.goto('/prompts/new');
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Sort this mail: {{input}}');
  const release = await holdChanges(page);
  const dialog = page.getByRole('dialog', { name: 'Save prompt' });
  await clickUntil(page.getByRole('button', { name: 'Save prompt' }), dialog);
  await dialog.getByLabel('Name').fill('left/early');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog.getByRole('button', { name: 'Saving' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expectLinkToRuns(page);
  release();
  const isSaved = async () => (await openApi(app.address).call('GET', '/api/v1/prompts/left%2Fearly')).status;
  await expect.poll(isSaved).toBe(200);
  await page.waitForTimeout(1_000);
  await expect(page).toHaveURL(/\/runs$/);
});
