import { startedSchema } from '#lib/api/experiments-schema.ts';
import { comparedCaseSchema, comparisonSchema } from '#lib/compare/schema.ts';
import { type Api, openApi } from './api/open-api.ts';
import { allRevealed, expect, test } from './app.ts';

const CASES = [
  'verify a webhook',
  'retry a payment',
  'rotate a key',
  'page a list',
  'sign a request',
  'cache an answer',
]
  .concat('undo a migration', 'export a report')
  .map((topic) => ({ input: `How do I ${topic} and what can go wrong?` }));

/** Creates an experiment on the practice model with ended runs over all cases. More revisions give better texts. */
async function ended(api: Api, name: string, maxIterations: number): Promise<string> {
  const id = await api.createExperiment({ name, maxIterations });
  const started = await api.read(startedSchema, 'POST', `/api/v1/experiments/${id}/runs`, { cases: CASES });
  for (const runId of started.runIds) await api.waitForRun(runId, ['finished'], 60_000);
  return id;
}

test('selects experiments, compares them case by case, and opens a case', async ({ page, app }) => {
  test.setTimeout(120_000);
  const api = openApi(app.address);
  const drafts = await ended(api, 'Guides, drafts alone', 0);
  const revised = await ended(api, 'Guides, revised', 3);

  // API responses match their schemas, and the swapped comparison has the opposite sign.
  const there = await api.read(comparisonSchema, 'GET', `/api/v1/compare?experimentIds=${drafts},${revised}&limit=3`);
  const back = await api.read(comparisonSchema, 'GET', `/api/v1/compare?experimentIds=${revised},${drafts}`);
  expect(there.against[0]).toMatchObject({ verdict: 'better', better: 8, worse: 0, pairs: 8 });
  expect(back.against[0]).toMatchObject({ verdict: 'worse', better: 0, worse: 8, pairs: 8 });
  expect(there.cases).toMatchObject({ total: 8, nextCursor: '3' });
  expect(there.cut).toMatchObject({ versions: 1, against: [{ verdict: 'within_noise', difference: 0 }] });
  const [first] = there.cases.items;
  const of = `experimentIds=${drafts},${revised}`;
  const looked = await api.read(comparedCaseSchema, 'GET', `/api/v1/compare/cases/${first?.caseKey}?${of}`);
  expect(looked.arms.map(({ result }) => result?.output?.length ?? 0).every((length) => length > 0)).toBe(true);
  for (const [path, field] of [
    [`?experimentIds=${drafts}`, 'experimentIds'],
    [`?${of}&show=good`, 'show'],
    [`?${of}&baseline=${drafts}@9`, 'baseline'],
    ['', 'experimentIds'],
  ])
    expect((await api.call('GET', `/api/v1/compare${path}`)).body).toMatchObject({ error: { field } });

  // Opens the comparison from the list of experiments.
  await page.goto('/experiments?q=Guides,');
  await page.getByLabel('Compare Guides, drafts alone').check();
  await page.getByRole('button', { name: 'Compare' }).click();
  await expect(page.getByRole('heading', { name: 'Compare experiments' })).toBeVisible();
  await allRevealed(page);
  await page.getByTestId('compare-picker').getByLabel('Guides, revised').check();
  await page.getByTestId('compare-picker').getByRole('button', { name: 'Compare' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Guides, revised against Guides, drafts alone');
  await allRevealed(page);
  const arm = page.getByTestId('arm-B');
  await expect(arm).toContainText('Better than A by the score: mean +0.');
  for (const size of [
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ]) {
    await page.setViewportSize(size);
    await page.evaluate(() => window.scrollTo(0, 0));
    await expect(page.getByText('Better than A').first()).toBeInViewport();
  }
  await expect(page.getByTestId('effort')).toContainText('A may use 1 version, B may use 4 versions.');

  // A count links to its cases. An empty list shows a message.
  const rows = page.getByTestId('compared-cases').locator('tbody tr[data-index]');
  await expect(rows).toHaveCount(8);
  await arm.getByRole('link', { name: '0 worse' }).click();
  await expect(page.getByText('No cases match.')).toBeVisible();
  await arm.getByRole('link', { name: '8 better' }).click();
  await expect(page.getByRole('heading', { name: 'Cases where B is better' })).toBeVisible();
  await expect(page).toHaveURL(/show=b-better/);

  // Keys move between cases, and the URL keeps the position.
  const pane = page.getByTestId('compared-case');
  const title = pane.getByRole('heading', { level: 2 });
  const top = await title.innerText();
  await expect(async () => {
    await page.keyboard.press('j');
    await expect(title).not.toHaveText(top, { timeout: 1_000 });
  }).toPass();
  await expect(pane.getByTestId('diff')).toBeVisible();
  await expect(pane.getByTestId('compared-criteria')).toContainText('clarity');
  const second = await title.innerText();
  await page.reload();
  await expect(title).toHaveText(second);
  await expect(async () => {
    await page.keyboard.press('k');
    await expect(title).toHaveText(top, { timeout: 1_000 });
  }).toPass();

  // With the baseline swapped, the verdict and the sign are reversed.
  await arm.getByRole('link', { name: 'as baseline' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Guides, drafts alone against Guides, revised');
  await expect(arm).toContainText('Worse than A by the score: mean −0.');
});
