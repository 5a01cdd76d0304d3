import { createdDatasetSchema } from '#lib/api/datasets-schema.ts';
import { startedSchema } from '#lib/api/experiments-schema.ts';
import { runsSchema } from '#lib/api/runs-schema.ts';
import { type Api, openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { createProvider } from './create-provider.ts';
import { startScriptedProvider } from './scripted-provider.ts';

test('the cases of a dataset render on scroll, page by page, with the position in the URL', async ({ page, app }) => {
  const { id } = await openApi(app.address).read(createdDatasetSchema, 'POST', '/api/v1/datasets', {
    name: 'Many',
    cases: Array.from({ length: 430 }, (_, at) => ({ input: `case ${at + 1}${'\nand a line'.repeat(at % 3)}` })),
  });
  await page.goto(`/datasets/${id}`);
  const table = page.getByTestId('cases');
  const rows = table.locator('tbody tr[data-index]');
  await expect(table).toHaveAttribute('aria-rowcount', '201');
  await expect(rows.first()).toContainText('case 1');
  expect(await rows.count()).toBeLessThan(100);
  for (let presses = 0; presses < 40; presses++) await page.mouse.wheel(0, 1_000);
  await expect(rows.last()).toHaveAttribute('aria-rowindex', '201');
  await expect(rows.last()).toContainText('case 200');
  await expect(page.getByText('1 to 200 of 430')).toBeVisible();
  await page.getByRole('link', { name: 'Next page' }).click();
  await expect(page).toHaveURL(/cursor=200/);
  await expect(rows.first()).toContainText('case 201');
  await page.goto(`/datasets/${id}?cursor=400`);
  await expect(rows).toHaveCount(30);
});

test('a long list scrolled before hydration keeps its position and renders there', async ({ page, app }) => {
  const { id } = await openApi(app.address).read(createdDatasetSchema, 'POST', '/api/v1/datasets', {
    name: 'Scrolled early',
    cases: Array.from({ length: 200 }, (_, at) => ({ input: `case ${at + 1}` })),
  });
  const scripts = Promise.withResolvers<void>();
  await page.route('**/_next/static/**/*.js', async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.goto(`/datasets/${id}`, { waitUntil: 'commit' });
  const rows = page.getByTestId('cases').locator('tbody tr[data-index]');
  await expect(rows.first()).toContainText('case 1');
  // Uses scrollTo instead of the wheel: late wheel events would move the page after the check.
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, 4_000));
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(3_000);
  }).toPass();
  await expect(rows.filter({ hasText: 'case 200' })).toHaveCount(0);
  const scrolled = await page.evaluate(() => window.scrollY);
  scripts.resolve();
  await expect(rows.first()).not.toHaveAttribute('data-index', '0');
  await expect(rows.locator('visible=true').first()).toBeAttached();
  expect(Math.abs((await page.evaluate(() => window.scrollY)) - scrolled)).toBeLessThan(100);
});

test('the runs of a large batch: Tab moves to the next run beyond the rendered ones', async ({ page, app }) => {
  const api = openApi(app.address);
  const experiment = await api.createExperiment({ maxIterations: 1 });
  await api.read(startedSchema, 'POST', `/api/v1/experiments/${experiment}/runs`, {
    cases: Array.from({ length: 150 }, (_, at) => ({ input: `Explain step ${at + 1}` })),
  });
  await page.goto(`/experiments/${experiment}`);
  const links = page.getByTestId('runs').getByRole('link');
  await expect(links.first()).toHaveText('Explain step 150');
  expect(await links.count()).toBeLessThan(100);
  await links.first().focus();
  for (let step = 149; step >= 60; step--) {
    await page.keyboard.press('Tab');
    await expect(page.locator(':focus')).toHaveText(`Explain step ${step}`);
  }
  // Scrolling out of sight keeps the focus.
  await page.mouse.wheel(0, -20_000);
  await expect(page.locator('h1')).toBeInViewport();
  await expect(page.locator(':focus')).toHaveText('Explain step 60');
});

test('a list that grows past the fully rendered length keeps the keyboard focus', async ({ page, app }) => {
  const batch = await startAnsweredBatch(openApi(app.address), 30);
  await page.goto(`/experiments/${batch.experiment}?status=finished`);
  const table = page.getByTestId('runs');
  const link = table.getByRole('link').last();
  await link.focus();
  const focused = await link.textContent();
  expect(Number(await table.getAttribute('aria-rowcount'))).toBeLessThan(61);
  batch.answer(120);
  await expect.poll(async () => Number(await table.getAttribute('aria-rowcount'))).toBeGreaterThan(61);
  await expect(page.locator(':focus')).toHaveText(focused ?? '');
  await batch.stop();
});

test('a list follows its batch although each refresh takes longer than the interval', async ({ page, app }) => {
  const batch = await startAnsweredBatch(openApi(app.address), 10);
  await page.route(
    (url) => url.pathname === `/experiments/${batch.experiment}` && url.searchParams.has('_rsc'),
    async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      await route.continue();
    },
  );
  await page.goto(`/experiments/${batch.experiment}?status=finished`);
  const table = page.getByTestId('runs');
  const rows = async () => Number(await table.getAttribute('aria-rowcount'));
  const before = await rows();
  batch.answer(30);
  await expect.poll(rows, { timeout: 30_000 }).toBeGreaterThan(before);
  await expect(page.getByTestId('batch-progress')).toBeVisible();
  await batch.stop();
});

/**
 * Starts 200 runs of one call each, and waits until some are finished. The model answers only as many calls as `answer` allows. `stop` ends
 * the others. Otherwise the runs of later tests in this app would wait for them.
 */
async function startAnsweredBatch(api: Api, first: number) {
  const held: (() => void)[] = [];
  let allowed = first;
  const provider = await startScriptedProvider(async ({ number }) => {
    while (number > allowed) await new Promise<void>((resolve) => held.push(resolve));
    return { text: 'It is done.' };
  });
  const answer = (count: number) => {
    allowed = count;
    for (const proceed of held.splice(0)) proceed();
  };
  const name = `held-${first}`;
  await createProvider(api, { name, baseUrl: provider.baseUrl });
  const experiment = await api.createExperiment({
    generator: { provider: name, model: 'scripted-1' },
    criteria: [{ name: 'done', evaluator: 'regex', config: { pattern: 'done' } }],
    maxIterations: 0,
  });
  const { batchId } = await api.read(startedSchema, 'POST', `/api/v1/experiments/${experiment}/runs`, {
    cases: Array.from({ length: 200 }, (_, at) => ({ input: `Grow step ${at + 1}` })),
  });
  await expect
    .poll(
      async () =>
        (await api.read(runsSchema, 'GET', `/api/v1/runs?experimentId=${experiment}&status=finished`)).items.length,
    )
    .toBeGreaterThan(first / 2);
  async function stop() {
    await api.call('POST', `/api/v1/batches/${batchId}/stop`);
    answer(Number.POSITIVE_INFINITY);
    await provider.stop();
  }
  return { experiment, answer, stop };
}
