import type { Page } from '@playwright/test';
import { openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { violationsOn } from './axe.ts';
import { pressUntil } from './press-until.ts';

/** Extra response delay of the server, long enough to detect a blank page. */
const DELAY_MS = 400;

const PAGES = [
  'Inbox',
  'Prompts',
  'Datasets',
  'Experiments',
  'Runs',
  'Lessons',
  'Compare',
  'Insights',
  'Models',
  'Home',
];

test('20 of 20 navigations keep the old page until the new one is ready and announce its title', async ({ page }) => {
  test.setTimeout(180_000);
  await page.goto('/');
  await page.route('**/*', async (route) => {
    if (route.request().headers().rsc === undefined) return route.continue();
    const response = await route.fetch();
    // The delay is the condition under test, not a wait.
    await new Promise((resolve) => setTimeout(resolve, DELAY_MS));
    await route.fulfill({ response });
  });
  const links = page.getByRole('navigation', { name: 'Main', exact: true });
  await expect(links.getByRole('group', { name: 'Build' }).getByRole('link')).toHaveText([
    'Prompts',
    'Datasets',
    'Targets',
    'Experiments',
    'Runs',
  ]);
  const blank: string[] = [];
  const silent: string[] = [];
  for (const entry of [...PAGES, ...PAGES]) {
    await watchFrames(page);
    await links.getByRole('link', { name: new RegExp(`^${entry}`) }).click();
    await expect(page.getByTestId('page-progress')).toBeAttached();
    await expect(links.getByRole('link', { name: new RegExp(`^${entry}`) })).toHaveAttribute('aria-current', 'page');
    await expect(page.getByTestId('page-progress')).toBeHidden();
    const { frames, empty, announced } = await watched(page);
    expect(frames).toBeGreaterThan(10);
    if (empty > 0) blank.push(`${entry}: ${empty} of ${frames} frames`);
    const title = await page.title();
    if (announced.join() !== title) silent.push(`${entry}: ${announced.join(', ')} (${title})`);
  }
  // Prefetched pages may still be loading.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  expect(blank).toEqual([]);
  expect(silent).toEqual([]);
});

type Watched = { frames: number; empty: number; announced: string[] };

/** Records in each frame if the page has content, and all screen reader announcements. */
async function watchFrames(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen: Watched = { frames: 0, empty: 0, announced: [] };
    const announcement = () =>
      document.querySelector('next-route-announcer')?.shadowRoot?.querySelector('[aria-live]')?.textContent ?? '';
    const before = announcement();
    Object.assign(window, { watchedFrames: seen });
    const look = () => {
      const { watchedFrames } = window as unknown as { watchedFrames: Watched };
      if (watchedFrames !== seen) return;
      seen.frames += 1;
      const main = document.querySelector('main');
      if (main === null || main.innerText.trim() === '' || main.querySelector('h1') === null) seen.empty += 1;
      const now = announcement();
      if (now !== before && seen.announced.at(-1) !== now) seen.announced.push(now);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

async function watched(page: Page): Promise<Watched> {
  // The announcement follows the page within the next frames.
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { watchedFrames: Watched }).watchedFrames.announced.length))
    .toBeGreaterThan(0);
  return page.evaluate(() => {
    const { watchedFrames } = window as unknown as { watchedFrames: Watched };
    Object.assign(window, { watchedFrames: null });
    return watchedFrames;
  });
}

test('the command menu finds items of every type by name and text, with the keyboard only', async ({ page, app }) => {
  const api = openApi(app.address);
  const experiment = await api.createExperiment({ name: 'Zeppelin guides', maxIterations: 1 });
  const run = await api.startRun(experiment, 'Explain the zeppelin mooring.');
  await api.waitForRun(run, ['finished'], 60_000);
  await api.call('POST', '/api/v1/datasets', {
    name: 'Zeppelin mail',
    cases: [{ input: 'Where does my zeppelin land?' }],
  });
  await api.call('POST', '/api/v1/lessons', { kind: 'lesson', text: 'Say how long a zeppelin takes to land.' });
  await api.call('POST', '/api/v1/prompts', { name: 'zeppelin-triage', text: 'Sort {{input}}', message: 'First' });
  await page.goto('/');
  const menu = page.getByRole('dialog', { name: 'Command menu' });
  await pressUntil(page, 'Control+k', menu);
  await menu.getByPlaceholder('Search or go to').fill('zeppelin');
  for (const kind of ['Experiments', 'Prompts', 'Datasets', 'Lessons', 'Cases'])
    await expect(menu.getByRole('group', { name: kind }).getByRole('option').first()).toContainText(/zeppelin/i);
  // The search index of a run is updated shortly after it ends.
  await expect(async () => {
    await menu.getByPlaceholder('Search or go to').fill('mooring');
    await expect(menu.getByRole('option', { name: /zeppelin mooring/ }).first()).toBeVisible({ timeout: 1_500 });
    await menu.getByPlaceholder('Search or go to').fill('moor');
  }).toPass();
  // Retries, because aria-activedescendant may refer to a removed option while results change.
  await expect(async () => expect(await violationsOn(page)).toEqual([])).toPass();
  await menu.getByPlaceholder('Search or go to').fill('where does my zepp');
  await expect(menu.getByRole('option', { name: /Where does my zeppelin land/ })).toBeVisible();
  await expect(async () => {
    await page.keyboard.press('ArrowDown');
    const selected = menu.getByRole('option', { selected: true });
    await expect(selected).toContainText('Where does my zeppelin land?', { timeout: 300 });
  }).toPass();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/datasets\/.+find=/);
  await expect(page.getByRole('cell', { name: 'Where does my zeppelin land?' }).first()).toBeVisible();
});

test('the command menu lists matching docs sections after matching pages', async ({ page }) => {
  await page.goto('/');
  const menu = page.getByRole('dialog', { name: 'Command menu' });
  await pressUntil(page, 'Control+k', menu);
  await menu.getByPlaceholder('Search or go to').fill('rolling restart');
  await menu
    .getByRole('group', { name: 'Docs' })
    .getByRole('option', { name: /^Rolling restart/ })
    .click();
  await expect(page).toHaveURL(/\/docs\/operations\/scaling#rolling-restart$/);
  await expect(page.getByRole('heading', { name: 'Rolling restart' })).toBeInViewport();
  await pressUntil(page, 'Control+k', menu);
  await menu.getByPlaceholder('Search or go to').fill('insights');
  await expect(menu.getByRole('option', { name: 'Insights Statistics' })).toBeVisible();
  await expect(menu.getByRole('option').first()).toHaveText('Insights');
});

test('every page has a help icon that links to its docs section', async ({ page }) => {
  for (const path of ['/', '/inbox', '/experiments/new', '/settings/audit', '/lessons/recall']) {
    await page.goto(path);
    await expect(page.getByRole('link', { name: /^Help: / })).toHaveCount(1);
  }
  await page.getByRole('link', { name: 'Help: Which lessons a run gets' }).click();
  await expect(page).toHaveURL(/\/docs\/how-to\/curate-lessons#see-what-would-be-recalled$/);
  await expect(page.getByRole('heading', { name: 'See what would be recalled' })).toBeInViewport();
  await expect(page.getByRole('link', { name: /^Help: / })).toHaveCount(0);
});

test('runs are filtered by status, experiment, text and time', async ({ page, app }) => {
  const api = openApi(app.address);
  const experiment = await api.createExperiment({ name: 'Filtered runs', maxIterations: 1 });
  const [run] = [
    await api.startRun(experiment, 'Explain the quagga.'),
    await api.startRun(experiment, 'Explain tides.'),
  ];
  await api.waitForRun(run, ['finished'], 60_000);
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'Runs' }).click();
  await expect(page.getByRole('heading', { name: 'Runs', level: 1 })).toBeVisible();
  await page.getByLabel('Created', { exact: true }).selectOption('7');
  await expect(page).toHaveURL(/days=7/);
  await page.getByLabel('Experiment', { exact: true }).selectOption({ label: 'Filtered runs' });
  await expect(page).toHaveURL(/experiment=/);
  await expect(page.getByRole('link', { name: 'Explain tides.' }).first()).toBeVisible();
  await expect(async () => {
    await page.getByLabel('Text or number').fill('quag');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await expect(page.getByRole('link', { name: 'Explain the quagga.' }).first()).toBeVisible({ timeout: 2_000 });
    await expect(page.getByRole('link', { name: 'Explain tides.' })).toHaveCount(0, { timeout: 2_000 });
  }).toPass();
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await expect(page).toHaveURL(/\/runs$/);
});

test('links between pages of the docs cause no full page load', async ({ page }) => {
  await page.goto('/docs', { waitUntil: 'networkidle' });
  await page.evaluate(() => document.documentElement.setAttribute('data-kept', ''));
  await page.getByRole('main').getByRole('link', { name: 'Connect your app', exact: true }).click();
  await expect(page).toHaveURL(/\/docs\/how-to\/connect-your-app$/);
  await expect(page.getByRole('heading', { name: 'Connect your app', level: 1 })).toBeVisible();
  await page
    .getByRole('navigation', { name: 'Documentation' })
    .getByRole('link', { name: 'Manage prompts' })
    .press('Enter');
  await expect(page).toHaveURL(/\/docs\/how-to\/manage-prompts$/);
  await expect(page.locator('html[data-kept]')).toBeAttached();
});

const SEARCHES: [path: string, field: string][] = [
  ['/experiments', 'Search experiments by name'],
  ['/runs', 'Text or number'],
  ['/lessons', 'Search lessons'],
  ['/prompts', 'Search prompts by name'],
  ['/search', 'Words'],
  ['/compare', 'Search experiments by name'],
  ['/datasets', 'Search datasets'],
];

test('the field of a search keeps the focus and the caret after Enter, and follows the URL', async ({ page }) => {
  await createPrompt(page);
  const lost: string[] = [];
  for (const [path, name] of SEARCHES) {
    await page.goto(path);
    const field = page.getByLabel(name, { exact: true });
    await field.fill('zebra');
    await field.evaluate((input: HTMLInputElement) => input.setSelectionRange(2, 2));
    await field.press('Enter');
    await page.waitForURL(/zebra/);
    await expect(page.getByTestId('page-progress')).toBeHidden();
    await expect(field).toHaveValue('zebra');
    const state = await field.evaluate((input: HTMLInputElement) => [
      document.activeElement === input,
      input.selectionStart,
    ]);
    if (state.join() !== 'true,2') lost.push(`${path}: ${state.join()}`);
    await page.goBack();
    await expect(field).toHaveValue('');
  }
  expect(lost).toEqual([]);
});

test('a filter that is chosen keeps the focus and follows the URL', async ({ page }) => {
  await page.goto('/runs');
  const status = page.getByLabel('Status', { exact: true });
  await status.focus();
  await status.selectOption('failed');
  await page.waitForURL(/status=failed/);
  await expect(page.getByRole('link', { name: 'Clear filters' }).first()).toBeVisible();
  await expect(status).toBeFocused();
  await page.getByRole('search').getByRole('link', { name: 'Clear filters' }).click();
  await expect(status).toHaveValue('');
});

test('a link and a search that are followed offline keep the page', async ({ page, context, expectConsole }) => {
  expectConsole(/ERR_INTERNET_DISCONNECTED/);
  await createDataset(page);
  await page.goto('/datasets');
  const tabs = page.getByRole('navigation', { name: 'Parts of the dataset' });
  await context.setOffline(true);
  await tabs.getByRole('link', { name: 'History' }).click();
  await expect(page.getByText('Hone did not respond. Check the connection, then try again.').first()).toBeVisible();
  await page.getByLabel('Search cases').press('Enter');
  await expect(tabs.getByRole('link', { name: 'Cases' })).toHaveAttribute('aria-current', 'page');
  await context.setOffline(false);
  await tabs.getByRole('link', { name: 'History' }).click();
  await expect(tabs.getByRole('link', { name: 'History' })).toHaveAttribute('aria-current', 'page');
});

test('an error of a form that was closed during the request is shown as a message', async ({ page, expectConsole }) => {
  expectConsole(/ERR_FAILED/);
  await page.goto('/experiments?q=zebra');
  await page.getByRole('button', { name: 'Save view' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save view' });
  await dialog.getByLabel('View name').fill('Zebras');
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  await page.route('**/experiments?q=zebra', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await closed;
    await route.abort();
  });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  close();
  await expect(page.getByText('Hone did not respond. Nothing was changed.').first()).toBeVisible();
});

async function createPrompt({ request }: Page): Promise<void> {
  const data = { name: 'Searched', text: 'Answer {{input}}' };
  expect((await request.post('/api/v1/prompts', { data })).status()).toBe(201);
}

async function createDataset({ request }: Page): Promise<void> {
  const data = { name: 'Tabs', cases: [{ input: 'One' }] };
  expect((await request.post('/api/v1/datasets', { data })).status()).toBe(201);
}
