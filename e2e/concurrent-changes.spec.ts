import { decidedSchema, runSchema } from '#lib/api/runs-schema.ts';
import { type Api, openApi } from './api/open-api.ts';
import { expect, test, whole } from './app.ts';
import { createProvider } from './create-provider.ts';
import { passUndoTime } from './pass-undo-time.ts';
import { pressUntil } from './press-until.ts';
import { startScriptedProvider } from './scripted-provider.ts';

/** Settings of a run that waits, so that others can change it while its page is open. */
const WAITS = { maxIterations: 4, convergence: null, callbacks: { pause: 'always' } };

function answer(api: Api, runId: string, decision: Record<string, unknown>): Promise<unknown> {
  return api.read(decidedSchema, 'POST', `/api/v1/runs/${runId}/decisions`, decision);
}

test('unsent input stays when the run is decided elsewhere, and the page shows who decided', async ({ page, app }) => {
  const api = openApi(app.address);
  const runId = await api.startRun(await api.createExperiment({ ...WAITS, name: 'Overtaken' }));
  const { waitingFor } = await api.waitForRun(runId, ['waiting']);
  await page.goto(`/runs/${runId}`);
  const dialog = page.getByRole('dialog', { name: 'Edit v0' });
  await pressUntil(page, 'e', dialog);
  const field = dialog.getByLabel('Text of the new version');
  await field.fill('A text that took an hour to write.');
  await answer(api, runId, { decision: 'continue', pauseId: waitingFor?.pauseId });
  await expect(dialog.getByRole('alert')).toContainText('Already decided: continue');
  await expect(dialog.getByRole('alert')).toContainText('at v1', { timeout: 15_000 });
  await expect(field).toHaveValue('A text that took an hour to write.');
  await dialog.getByRole('button', { name: 'Create v2' }).click();
  await expect(page.getByTestId('decision-bar')).toContainText('create v2 from your edit of v0');
  // The draft is outdated too: it is kept, and not sent to a run that cannot use it.
  await api.call('POST', `/api/v1/runs/${runId}/stop`);
  await page.keyboard.press('Control+Enter');
  const refused = page.getByRole('alert').filter({ hasText: 'It is saved here' });
  await expect(refused).toContainText('A text that took an hour to write.');
  await expect(refused.getByRole('button', { name: 'Send again' })).toHaveCount(0);
  expect((await api.waitForRun(runId, ['stopped'])).versions).toHaveLength(2);
});

/** Starts a run whose agent requests the sums in its first turn, each after approval, and then answers 4. */
async function startSums(api: Api, name: string, sums: string[]) {
  const provider = await startScriptedProvider(({ prompt }) => ({
    text: prompt.includes('Observation')
      ? 'Thought: Known.\nAction: Finish[4]'
      : ['Thought: Sums.', ...sums.map((sum) => `Action: calculator\nAction Input: {"expression": "${sum}"}`)].join(
          '\n',
        ),
  }));
  try {
    await createProvider(api, { name, baseUrl: provider.baseUrl, toolsBy: 'prompt' });
    const experiment = await api.createExperiment({
      name: `${name} with approval`,
      mode: 'retry',
      maxAttempts: 1,
      generator: {
        ...{ provider: name, model: 'summing-1' },
        base: { type: 'react', tools: ['calculator'], approve: ['calculator'] },
      },
      criteria: [{ name: 'answer', evaluator: 'regex', config: { pattern: '4' } }],
    });
    return { provider, runId: await api.startRun(experiment, 'What is 2 + 2?') };
  } catch (error) {
    await provider.stop();
    throw error;
  }
}

test('a tool approval applies to the reviewed call, never to the next one', async ({ page, app }) => {
  const api = openApi(app.address);
  const { provider, runId } = await startSums(api, 'three-sums', ['1 + 1', '2 + 2', '3 + 3']);
  try {
    const { waitingFor } = await api.waitForRun(runId, ['waiting']);
    await page.clock.install();
    await page.goto(`/runs/${runId}`);
    const bar = page.getByTestId('approval-bar');
    await expect(bar).toContainText('1 + 1');
    await pressUntil(page, 'a', bar.getByText('Your draft: allow calculator'));
    await answer(api, runId, { decision: 'refuse', pauseId: waitingFor?.pauseId });
    await expect(page.getByRole('alert').filter({ hasText: 'Already decided: refuse' })).toBeVisible();
    await expect(bar).toContainText('2 + 2');
    await expect(bar).not.toContainText('Your draft');
    // A key press for the previous call starts at most a draft. The wait exceeds the delay after which the first draft would have been
    // sent.
    await page.keyboard.press('Control+Enter');
    await expect(bar).toContainText('Your draft: allow calculator');
    await page.keyboard.press('z');
    await passUndoTime(page);
    const { decisions } = await api.read(runSchema, 'GET', `/api/v1/runs/${runId}`);
    expect(decisions.map(({ decision, toolCallId }) => [decision, toolCallId])).toEqual([['refuse', '0.0']]);
  } finally {
    await provider.stop();
  }
});

test('the dialog for one tool call closes when the run waits for another one', async ({ page, app }) => {
  const api = openApi(app.address);
  const { provider, runId } = await startSums(api, 'two-sums', ['1 + 1', '2 + 2']);
  try {
    const { waitingFor } = await api.waitForRun(runId, ['waiting']);
    await page.goto(`/runs/${runId}`);
    const bar = page.getByTestId('approval-bar');
    await expect(bar).toContainText('1 + 1');
    const dialog = page.getByRole('dialog', { name: 'Refuse calculator' });
    await pressUntil(page, 'r', dialog);
    await dialog.getByLabel('Reason').fill('One plus one is known.');
    // The page sees the run only when it waits for the next call.
    const waits = Promise.withResolvers<void>();
    await page.route(`**/api/v1/runs/${runId}?*`, async (route) => {
      await waits.promise;
      await route.continue();
    });
    await answer(api, runId, { decision: 'refuse', pauseId: waitingFor?.pauseId });
    await expect
      .poll(async () => (await api.read(runSchema, 'GET', `/api/v1/runs/${runId}`)).waitingFor?.pauseId ?? null)
      .not.toBe(waitingFor?.pauseId);
    await api.waitForRun(runId, ['waiting']);
    waits.resolve();
    await expect(bar).toContainText('2 + 2');
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(page.getByRole('alert').filter({ hasText: 'Already decided: refuse' })).toBeVisible();
  } finally {
    await provider.stop();
  }
});

test('mod+Enter in a what-if field sends no decision', async ({ page, app }) => {
  const api = openApi(app.address);
  const runId = await api.startRun(await api.createExperiment({ ...WAITS, name: 'Wondered about' }));
  await api.waitForRun(runId, ['waiting']);
  await page.goto(`/runs/${runId}?whatif=on`);
  const threshold = page.getByLabel('Quality threshold 0 to 1');
  await threshold.fill('0.5');
  await expect(page.getByTestId('decision-bar')).toBeVisible();
  await threshold.press('Control+Enter');
  await page.waitForTimeout(1_000);
  expect(await api.read(runSchema, 'GET', `/api/v1/runs/${runId}`)).toMatchObject({ status: 'waiting', decisions: [] });
});

test('more run pages than connections can be open, because hidden ones hold none', async ({ context, app }) => {
  const api = openApi(app.address);
  const experiment = await api.createExperiment({ ...WAITS, name: 'Many tabs' });
  for (let opened = 0; opened < 7; opened += 1) {
    const runId = await api.startRun(experiment);
    await api.waitForRun(runId, ['waiting']);
    const tab = whole(await context.newPage());
    await tab.goto(`${app.address}/runs/${runId}`);
    await expect(tab.getByTestId('decision-bar')).toBeVisible();
    // Playwright shows all tabs at once. A browser hides the others.
    await tab.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
  }
  for (const tab of context.pages()) await tab.close();
});

test('the re-scores of a run are current when the user returns to its page', async ({ page, app }) => {
  const api = openApi(app.address);
  const runId = await api.startRun(await api.createExperiment({ maxIterations: 0, name: 'Re-scored elsewhere' }));
  await api.waitForRun(runId, ['finished']);
  await page.goto('/runs');
  await page.locator(`a[href^="/runs/${runId}"]`).first().click();
  await expect(page.getByText('No re-scores yet.')).toBeVisible();
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Runs', level: 1 })).toBeVisible();
  await api.call('POST', `/api/v1/runs/${runId}/versions/0/rescore`, { times: 1 });
  await expect
    .poll(async () => JSON.stringify((await api.call('GET', `/api/v1/runs/${runId}/rescores`)).body))
    .toContain('"waiting":0');
  await page.locator(`a[href^="/runs/${runId}"]`).first().click();
  await expect(page.getByTestId('rescore-report')).toBeVisible();
});

test('an import is never offered with the preview of other lines', async ({ page }) => {
  const line = (run: string) =>
    `{"run": "${run}", "case": {"id": "q1", "input": "Two?"}, "attempt": 1, "output": "2", "solved": true}`;
  await page.goto('/runs/import');
  await expect(async () => {
    await page.getByRole('radio', { name: 'Paste' }).click();
    await expect(page.getByLabel('Lines')).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.getByLabel('Lines').fill(line('first'));
  const checked = Promise.withResolvers<void>();
  await page.route('**/api/v1/runs/import?*', async (route) => {
    await checked.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Check' }).click();
  await expect(page.getByRole('button', { name: 'Checking' })).toBeVisible();
  await page.getByLabel('Lines').fill(`${line('second')}\n${line('third')}`);
  const response = page.waitForResponse('**/api/v1/runs/import?*');
  checked.resolve();
  await response;
  await expect(page.getByRole('button', { name: 'Check' })).toBeEnabled();
  await expect(page.getByTestId('checked-import')).toBeHidden();
});

test('a problem or preview of an earlier import check is not shown for a newer file', async ({ page }) => {
  const file = (run: string) => ({
    name: `${run}.jsonl`,
    mimeType: 'application/jsonl',
    buffer: Buffer.from(`{"run": "${run}", "case": {"id": "q1", "input": "Two?"}, "attempt": 1, "output": "2"}`),
  });
  await page.goto('/runs/import');
  const checks: (() => void)[] = [];
  await page.route('**/api/v1/runs/import?*', async (route) => {
    await new Promise<void>((resolve) => checks.push(resolve));
    await route.continue();
  });
  const chooser = page.getByLabel('JSONL, up to 50 MB');
  const checking = page.getByRole('button', { name: 'Checking' });
  await expect(async () => {
    if (await checking.isHidden()) await chooser.setInputFiles(file('empty'));
    await expect(checking).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await chooser.setInputFiles({ ...file('none'), buffer: Buffer.from('\n') });
  await expect.poll(() => checks.length).toBe(2);
  await chooser.setInputFiles(file('newest'));
  await expect.poll(() => checks.length).toBe(3);
  checks[2]?.();
  const preview = page.getByTestId('checked-import');
  await expect(preview).toContainText('newest');
  const late = page.waitForResponse('**/api/v1/runs/import?*');
  checks[1]?.();
  await late;
  checks[0]?.();
  await expect(page.getByRole('button', { name: 'Import 1 run' })).toBeEnabled();
  await expect(preview).toContainText('newest');
  await expect(page.getByTestId('import-problem')).toBeHidden();
});

test('mod+Enter in a note saves the note and sends no decision', async ({ page, app }) => {
  const api = openApi(app.address);
  const runId = await api.startRun(await api.createExperiment({ ...WAITS, name: 'Noted' }));
  await api.waitForRun(runId, ['waiting']);
  await page.goto(`/runs/${runId}`);
  const note = page.getByLabel('Write a note');
  await note.fill('Ask legal about the second sentence.');
  await expect(page.getByTestId('decision-bar')).toBeVisible();
  await note.press('Control+Enter');
  await expect(page.getByTestId('notes').getByRole('listitem')).toContainText('Ask legal');
  const run = await api.read(runSchema, 'GET', `/api/v1/runs/${runId}`);
  expect(run).toMatchObject({ status: 'waiting', decisions: [] });
});

test('the page of an ended run updates when it is resumed elsewhere', async ({ page, app }) => {
  const api = openApi(app.address);
  const runId = await api.startRun(await api.createExperiment({ ...WAITS, name: 'Resumed elsewhere' }));
  await api.waitForRun(runId, ['waiting']);
  await api.call('POST', `/api/v1/runs/${runId}/stop`);
  await api.waitForRun(runId, ['stopped']);
  await page.goto(`/runs/${runId}`);
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
  await api.call('POST', `/api/v1/runs/${runId}/resume`);
  await api.waitForRun(runId, ['waiting']);
  await expect(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await expect(page.getByTestId('decision-bar')).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 30_000 });
});
