import type { Locator, Page } from '@playwright/test';
import { blindPairsSchema } from '#lib/api/experiments-schema.ts';
import { judgeAgreementSchema } from '#lib/statistics/judge-agreement.ts';
import { openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { excessWidth, violationsInBothThemes } from './axe.ts';
import { passUndoTime } from './pass-undo-time.ts';

const SETTINGS = {
  name: 'Which reads better',
  criteria: [
    { name: 'clarity', evaluator: 'llm' },
    { name: 'completeness', evaluator: 'llm' },
  ],
  maxIterations: 3,
  qualityThreshold: 1,
  convergence: null,
};

/** Presses a key until it has an effect, because key presses before hydration are lost. */
async function pressUntil(page: Page, key: string, there: Locator, words: RegExp): Promise<void> {
  await expect(async () => {
    await page.keyboard.press(key);
    await expect(there).toContainText(words, { timeout: 1_000 });
  }).toPass();
}

test('judges anonymous pairs by keyboard and shows the agreement on the experiment', async ({ page, app }) => {
  test.setTimeout(120_000);
  const api = openApi(app.address);
  const experimentId = await api.createExperiment(SETTINGS);
  const tasks = ['Explain how our rate limits work.', 'Explain how to verify a webhook.'];
  const runs = await Promise.all(
    tasks.map(async (input) => api.waitForRun(await api.startRun(experimentId, input), ['finished'])),
  );
  const { remaining: all } = await api.read(
    blindPairsSchema,
    'GET',
    `/api/v1/experiments/${experimentId}/blind-pairs?limit=1`,
  );
  expect(all).toBeGreaterThan(5);

  await page.goto(`/experiments/${experimentId}`);
  const measure = page.getByTestId('judge-against-people');
  await expect(measure).toContainText('No pairs judged yet');
  await expect(measure.getByRole('link', { name: 'Review blind' })).toHaveAttribute('href', /\/blind$/);
  // Reloads the page, because after client-side navigation, the document still contains the data of the previous page.
  const opened = await page.goto(`/experiments/${experimentId}/blind`);
  const progress = page.getByTestId('blind-progress');
  await expect(progress).toHaveText(`0 judged, ${all} pairs left`);
  expect(await violationsInBothThemes(page)).toEqual([]);

  const bar = page.getByTestId('blind-bar');
  const [left, right] = [page.getByTestId('blind-left'), page.getByTestId('blind-right')];
  const firstLeft = await left.innerText();
  await pressUntil(page, '1', bar, /left is better/);
  await expect(progress).toHaveText(`1 judged, ${all - 1} pairs left`);
  await page.keyboard.press('z');
  await expect(progress).toHaveText(`0 judged, ${all} pairs left`);
  expect(await left.innerText()).toBe(firstLeft);

  const scoreOf = (output: string) =>
    runs
      .flatMap(({ versions }) => versions)
      .find((version) => version.output.trim() === output.trim())
      ?.evaluations.at(-1)?.overallScore ?? Number.NaN;
  const keys = { left: ['1', 'ArrowLeft'], right: ['2', 'ArrowRight'], tie: ['0', 't'] };
  let picks = 0;
  for (let at = 0; at < 5; at++) {
    const scores = [scoreOf((await left.textContent()) ?? ''), scoreOf((await right.textContent()) ?? '')];
    const [ours = 0, theirs = 0] = scores;
    expect(scores.every(Number.isFinite)).toBe(true);
    const choice = ours === theirs ? 'tie' : ours > theirs ? 'left' : 'right';
    picks += choice === 'tie' ? 0 : 1;
    await page.keyboard.press(keys[choice][at % 2] ?? '');
    await expect(progress).toHaveText(`${at + 1} judged, ${all - at - 1} pairs left`);
  }
  await page.keyboard.press('s');
  await expect(progress).toHaveText(`5 judged, ${all - 5} pairs left`);

  const more = await api.call('GET', `/api/v1/experiments/${experimentId}/blind-pairs?limit=200`);
  // SVG icons are removed because their numbers could match ids and scores.
  const texts = [await opened?.text(), await page.content(), more.text].join('\n').replace(/<svg[\s\S]*?<\/svg>/g, '');
  expect(texts.split(firstLeft.slice(0, 40)).length).toBeGreaterThan(3);
  const record = runs.flatMap(({ id, versions }) => [
    id,
    ...versions.flatMap(({ evaluations }) => evaluations.map(({ overallScore }) => String(overallScore))),
  ]);
  const known = [...new Set(record)].filter((word) => word.length > 3);
  expect(known.length).toBeGreaterThan(2);
  const revealing = [...known, 'practice-1', 'overallScore', 'hybrid', 'targeted_edit', 'full rewrite', 'revised'];
  expect(revealing.filter((word) => texts.includes(word))).toEqual([]);
  expect(/\bv[0-3]\b|[Vv]ersion [0-3]\b|\\?"(version|number|origin|score)\\?":/.exec(texts)?.[0]).toBeUndefined();

  await page.setViewportSize({ width: 375, height: 800 });
  expect(await excessWidth(page)).toBe(0);
  const [above, below] = [await left.boundingBox(), await right.boundingBox()];
  expect(below?.y).toBeGreaterThan((above?.y ?? 0) + (above?.height ?? 0));
  expect(await violationsInBothThemes(page)).toEqual([]);

  await page.setViewportSize({ width: 1280, height: 800 });
  // Leaving the page sends the pending judgement.
  await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: SETTINGS.name }).click();
  await expect(measure).toContainText(
    new RegExp(`The judge agrees in ${picks} of ${picks} choices? \\(100%, \\d+ to 100%\\)`),
  );
  await expect(measure).toContainText('At least 10 choices are needed for a conclusion.');
  expect(await violationsInBothThemes(page)).toEqual([]);
});

test('sends the last judgement automatically and then shows that no pairs are left', async ({ page, app }) => {
  const api = openApi(app.address);
  const experimentId = await api.createExperiment({ ...SETTINGS, maxIterations: 1 });
  await api.waitForRun(await api.startRun(experimentId, 'Explain how our rate limits work.'), ['finished']);
  await page.clock.install();
  await page.goto(`/experiments/${experimentId}/blind`);
  const bar = page.getByTestId('blind-bar');
  await pressUntil(page, 't', bar, /neither is better. It is sent in a moment/);
  await expect(page.getByText('You have judged all pairs.')).toBeVisible();
  await passUndoTime(page);
  await expect(bar).toBeHidden({ timeout: 15_000 });
  const judged = () => api.read(judgeAgreementSchema, 'GET', `/api/v1/experiments/${experimentId}/agreement`);
  await expect.poll(judged).toMatchObject({ judgements: 1, ties: 1 });
  await page.getByRole('link', { name: 'View judge agreement' }).click();
  await expect(page.getByTestId('judge-against-people')).toContainText('Not included: 1 tie.');
});

test('leaving the page sends an answer again that could not be saved', async ({ page, app, expectConsole }) => {
  expectConsole(/ERR_FAILED/);
  const api = openApi(app.address);
  const experimentId = await api.createExperiment({ ...SETTINGS, maxIterations: 1, name: 'Saved on leaving' });
  await api.waitForRun(await api.startRun(experimentId, 'Explain how our rate limits work.'), ['finished']);
  await page.clock.install();
  await page.route('**/preferences', (route) => route.abort());
  await page.goto(`/experiments/${experimentId}/blind`);
  await pressUntil(page, 't', page.getByTestId('blind-bar'), /neither is better. It is sent in a moment/);
  await passUndoTime(page);
  const failure = page.getByRole('alert').filter({ hasText: '1 answer could not be saved' });
  await expect(failure).toBeVisible();
  await failure.getByRole('button', { name: 'Retry' }).click();
  await expect(failure).toBeVisible();
  await page.unroute('**/preferences');
  await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'Saved on leaving' }).click();
  await expect(page.getByTestId('judge-against-people')).toContainText('Not included: 1 tie.');
});

test('an experiment without pairs shows a message', async ({ page, app }) => {
  const experimentId = await openApi(app.address).createExperiment(SETTINGS);
  await page.goto(`/experiments/${experimentId}/blind`);
  await expect(page.getByText('No pairs to judge yet.')).toBeVisible();
  expect(await violationsInBothThemes(page)).toEqual([]);
});
