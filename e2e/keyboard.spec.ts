import type { Locator, Page } from '@playwright/test';
import { decidedSchema, runSchema } from '#lib/api/runs-schema.ts';
import { openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { passUndoTime } from './pass-undo-time.ts';
import { pressUntil } from './press-until.ts';

/** The tests in this file use no mouse: `reach` moves the focus only with Tab. */
async function reach(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 150; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement, undefined, { timeout: 5_000 })) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${target}`);
}

test('the command menu opens pages, experiments and runs, and switches the theme', async ({ page, app }) => {
  // Unique name, so that data of other tests does not match.
  await openApi(app.address).createExperiment({ name: 'Quagga lineage' });
  await page.goto('/');
  const menu = page.getByRole('dialog', { name: 'Command menu' });
  await pressUntil(page, 'Control+k', menu);
  await page.keyboard.type('datas');
  await expect(menu.getByRole('option', { name: 'Datasets', exact: true })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/datasets$/);

  await page.keyboard.press('Control+k');
  await page.keyboard.type('lineage');
  const found = menu.getByRole('group', { name: 'Experiments' }).getByRole('option', { name: /Quagga lineage/ });
  await expect(found).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/experiments\//);

  const theme = await page.locator('html').getAttribute('data-theme');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('theme');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).not.toHaveAttribute('data-theme', theme ?? '');
  await page.keyboard.press('Control+k');
  await expect(menu.getByRole('option').first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();

  // A held key repeats. It must not close the menu again.
  await page.keyboard.down('Control');
  await page.keyboard.down('k');
  await page.keyboard.down('k');
  await page.keyboard.up('k');
  await page.keyboard.up('Control');
  await expect(menu).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
});

test('text typed while the command menu loads appears in it', async ({ page }) => {
  await page.goto('/datasets');
  await page.waitForLoadState('networkidle');
  const { promise: isTyped, resolve: continueLoading } = Promise.withResolvers<void>();
  await page.route('**/_next/static/chunks/**', async (route) => {
    await isTyped;
    await route.continue();
  });
  const menu = page.getByRole('dialog', { name: 'Command menu' });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('insightz');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('s');
  await expect(menu).toBeHidden();
  continueLoading();
  await expect(menu.getByPlaceholder('Search or go to')).toHaveValue('insights');
  await expect(menu.getByRole('option', { name: 'Insights', exact: true })).toHaveAttribute('aria-selected', 'true');
});

test('? shows all shortcuts, except while typing in a field', async ({ page }) => {
  await page.goto('/experiments');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await pressUntil(page, '?', sheet);
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await reach(page, page.getByRole('searchbox').or(page.getByRole('textbox')).first());
  await page.keyboard.press('?');
  await expect(page.getByRole('textbox').or(page.getByRole('searchbox')).first()).toHaveValue('?');
  await expect(sheet).toBeHidden();
});

test('home: Enter opens the list of runs', async ({ page }) => {
  await page.goto('/');
  await reach(page, page.getByRole('main').getByRole('link', { name: /\d+ running/ }));
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/runs\?/);
});

test('an experiment is created and run, and its run opened', async ({ page }) => {
  await page.goto('/experiments/new');
  await reach(page, page.getByLabel('Name').first());
  await page.keyboard.type('By keys alone');
  await reach(page, page.getByRole('button', { name: 'Save without running' }));
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/experiments\/[0-9a-f-]{36}$/);
  await reach(page, page.getByLabel('Input', { exact: true }));
  await page.keyboard.type('Explain tides.');
  await reach(page, page.getByRole('button', { name: 'Run', exact: true }));
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/runs\/|batch=/);
});

test('cases are imported', async ({ page }) => {
  await page.goto('/datasets/new');
  await reach(page, page.getByLabel('Name'));
  await page.keyboard.type('By keys');
  await reach(page, page.getByRole('textbox', { name: 'Cases' }));
  await page.keyboard.insertText('{"input": "What is 2 + 3?", "reference": "5"}');
  const store = page.getByRole('button', { name: 'Import 1 case' });
  await expect(store).toBeEnabled();
  await page.keyboard.press('Escape');
  await reach(page, store);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/datasets\/[0-9a-f-]{36}$/);
});

test('settings: a model connection is tested', async ({ page }) => {
  await page.goto('/models');
  const practice = page.getByTestId('provider-practice');
  await reach(page, practice.locator('summary'));
  await page.keyboard.press('Enter');
  await reach(page, practice.getByRole('button', { name: 'Test connection' }));
  await page.keyboard.press('Enter');
  await expect(practice.getByRole('status')).toContainText('✓');
});

test('a run: j and k select versions, n and p changes, w white space, all in the URL', async ({ page, app }) => {
  const api = openApi(app.address);
  const runId = await api.startRun(await api.createExperiment({ qualityThreshold: 0.9 }));
  await api.waitForRun(runId, ['finished']);
  await page.goto(`/runs/${runId}?v=1&view=diff`);
  const current = page.getByTestId('diff').locator('[aria-current]');
  await pressUntil(page, 'n', current);
  await expect(page).toHaveURL(/change=\d/);
  await page.keyboard.press('w');
  await expect(page).toHaveURL(/space=shown/);
  await expect(page.getByTestId('diff').locator('[data-slot=space]').first()).toBeVisible();
  await page.keyboard.press('j');
  await expect(page).toHaveURL(/v=0/);
  await page.keyboard.press('k');
  await expect(page).toHaveURL(/v=1/);
});

test('a waiting run: a decision can be undone until sent; mod+enter sends it and stays', async ({ page, app }) => {
  const api = openApi(app.address);
  const experiment = await api.createExperiment({ callbacks: { pause: 'always' } });
  const [first, second] = [await api.startRun(experiment), await api.startRun(experiment)];
  for (const id of [first, second]) await api.waitForRun(id, ['waiting']);
  await page.clock.install();
  await page.goto(`/runs/${first}`);
  const draft = page.getByText('Your draft:');
  await pressUntil(page, 's', draft);
  await page.keyboard.press('z');
  await expect(draft).toBeHidden();
  await passUndoTime(page);
  expect((await api.read(runSchema, 'GET', `/api/v1/runs/${first}`)).status).toBe('waiting');

  await page.keyboard.press('a');
  await expect(draft).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByTestId('run-status')).toContainText('Accepted by a person');
  await expect(page).toHaveURL(new RegExp(`/runs/${first}`));
  expect((await api.waitForRun(first, ['finished'])).convergenceReason).toBe('user_accepted');
});

test('a rejected decision is kept as a draft', async ({ page, app }) => {
  const api = openApi(app.address);
  const runId = await api.startRun(await api.createExperiment({ callbacks: { pause: 'always' } }));
  const { waitingFor } = await api.waitForRun(runId, ['waiting']);
  await page.goto(`/runs/${runId}`);
  // Blocks all updates of the page, as on a slow connection.
  await page.route(/\/api\/v1\/runs\/.*(?<!\/decisions)$/, () => {});
  await pressUntil(page, 'a', page.getByText('Your draft:'));
  await api.read(decidedSchema, 'POST', `/api/v1/runs/${runId}/decisions`, {
    decision: 'continue',
    pauseId: waitingFor?.pauseId,
  });
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText(/This pause was decided already: continue/)).toBeVisible();
  await expect(page.getByText(/accept v0, which ends the run, was not sent/)).toBeVisible();
});

test('closing a dialog returns the focus to its opener', async ({ page }) => {
  await page.goto('/experiments');
  const bar = page.getByRole('complementary', { name: 'Navigation' });
  for (const [opener, dialog] of [
    [bar.getByRole('button', { name: 'Shortcuts' }), page.getByRole('dialog', { name: 'Keyboard shortcuts' })],
    [bar.getByRole('button', { name: /^Search/ }), page.getByRole('dialog', { name: 'Command menu' })],
  ] as const) {
    await reach(page, opener);
    await pressUntil(page, 'Enter', dialog);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(opener).toBeFocused();
  }
});

test('single-key shortcuts can be switched off in the account and stay off', async ({ page }) => {
  await page.goto('/account');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  const singleKeys = page.getByLabel('Single-key shortcuts');
  await pressUntil(page, '?', sheet);
  await page.keyboard.press('Escape');
  await reach(page, singleKeys);
  await page.keyboard.press('Space');
  await expect(singleKeys).not.toBeChecked();
  await page.goto('/experiments');
  const menu = page.getByRole('dialog', { name: 'Command menu' });
  await pressUntil(page, 'Control+k', menu);
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(sheet).toBeHidden();
  await page.goto('/account');
  await reach(page, singleKeys);
  await page.keyboard.press('Space');
  await expect(singleKeys).toBeChecked();
});

test('changing a shortcut in the account updates hints, the shortcut sheet and the page', async ({ page, app }) => {
  const api = openApi(app.address);
  const run = await api.startRun(await api.createExperiment({ callbacks: { pause: 'always' } }));
  await api.waitForRun(run, ['waiting']);
  await page.goto('/account');
  await pressUntil(page, '?', page.getByRole('dialog', { name: 'Keyboard shortcuts' }));
  await page.keyboard.press('Escape');
  await reach(page, page.locator('summary', { hasText: 'Change shortcuts' }));
  await page.keyboard.press('Enter');
  const group = page.getByRole('region', { name: 'A run that waits for you' });
  const accept = group.getByLabel('Accept the chosen version', { exact: true });
  await reach(page, accept);
  await page.keyboard.press('c');
  await expect(accept).toHaveAccessibleDescription(
    /The key c is already used in “A run that waits for you” for “Continue”/,
  );
  await page.keyboard.press('Space');
  await expect(accept).toHaveAccessibleDescription(/Space presses buttons/);
  await page.keyboard.press('q');
  await expect(accept).toHaveValue('q');
  await expect(accept).not.toHaveAttribute('aria-invalid');

  await page.goto(`/runs/${run}`);
  const bar = page.getByTestId('decision-bar');
  await expect(bar.getByRole('button', { name: /Accept v\d+ q/ })).toBeVisible();
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await pressUntil(page, '?', sheet);
  await expect(sheet.getByRole('region', { name: 'A run that waits for you' })).toContainText('qAccept the chosen');
  await page.keyboard.press('Escape');
  await page.keyboard.press('a');
  await page.keyboard.press('q');
  await expect(page.getByText('Your draft: accept')).toBeVisible();
  await page.keyboard.press('z');
  await expect(page.getByText('Your draft:')).toBeHidden();
  await page.keyboard.press('a');
  await page.keyboard.press('c');
  await expect(page.getByText('Your draft:')).toBeVisible();
  await expect(page.getByText('Your draft: accept')).toBeHidden();
  await page.keyboard.press('z');

  await page.goto('/account');
  await reach(page, page.locator('summary', { hasText: 'Change shortcuts' }));
  await pressUntil(page, 'Enter', accept);
  await reach(page, group.getByRole('button', { name: 'Reset the key of “Accept the chosen version”' }));
  await page.keyboard.press('Enter');
  await expect(accept).toHaveValue('a');
  await expect(page.getByRole('button', { name: 'Reset all keys' })).toBeDisabled();
});

test('arrow keys on the chart of a run are announced to screen readers', async ({ page, app }) => {
  const api = openApi(app.address);
  const experiment = await api.createExperiment({ name: 'A chart by keys', maxIterations: 1 });
  const run = await api.startRun(experiment, 'Explain tides.');
  await api.waitForRun(run, ['finished'], 60_000);
  await page.goto(`/runs/${run}`);
  const figure = page.getByRole('figure', { name: /Score trajectory/ });
  await reach(page, figure.getByRole('application'));
  await page.keyboard.press('ArrowRight');
  await expect(figure.getByRole('status')).toContainText(/v\d.*0\.\d\d/);
});
