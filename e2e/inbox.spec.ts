import { startedSchema } from '#lib/api/experiments-schema.ts';
import { inboxCountSchema } from '#lib/api/inbox.ts';
import { runSchema } from '#lib/api/runs-schema.ts';
import { inboxSchema } from '#lib/inbox/queries.ts';
import { type Api, openApi } from './api/open-api.ts';
import { expect, test, whole } from './app.ts';
import { excessWidth, violationsInBothThemes } from './axe.ts';
import { clickUntil, moveTo, pressUntil } from './press-until.ts';

const PAUSED = { maxIterations: 0, callbacks: { pause: 'always' } };

/** Starts runs of one experiment that all wait, and returns their ids in inbox order. */
async function waitingRuns(api: Api, count: number, name: string): Promise<{ experiment: string; ids: string[] }> {
  const experiment = await api.createExperiment({ ...PAUSED, name });
  await api.read(startedSchema, 'POST', `/api/v1/experiments/${experiment}/runs`, {
    cases: Array.from({ length: count }, (_, at) => ({ input: `${name} ${at + 1}` })),
  });
  const listed = async () =>
    (await api.read(inboxSchema, 'GET', `/api/v1/inbox?experimentId=${experiment}&limit=200`)).items;
  await expect.poll(async () => (await listed()).length, { timeout: 30_000 }).toBe(count);
  return { experiment, ids: (await listed()).map(({ id }) => id) };
}

test('a reviewer clears 50 items by keyboard: the next item opens automatically and the counts update', async ({
  page,
  app,
}) => {
  test.setTimeout(180_000);
  const api = openApi(app.address);
  const { experiment, ids } = await waitingRuns(api, 50, 'Clear');
  await page.goto(`/inbox?experiment=${experiment}`);
  const draft = page.getByText('Your draft:');
  const position = page.getByTestId('inbox-place');
  await expect(position).toHaveText('1 of 50');
  for (const [at, id] of ids.entries()) {
    await expect(page).toHaveURL(new RegExp(`item=${id}`));
    await expect(page.getByTestId('decision-bar')).toBeVisible();
    if (at > 0) await expect(page.locator('[data-slot=queue-item]')).toBeFocused();
    await pressUntil(page, at % 5 === 4 ? 's' : 'a', draft);
    // Does not wait for the decision bar of the next item: a premature key press must have no effect.
    await page.keyboard.press('Control+Enter');
  }
  await expect(page.getByTestId('inbox-empty')).toContainText('You decided 50', { timeout: 15_000 });
  await expect(page.getByTestId('inbox-empty').getByRole('heading')).toBeFocused();
  const runs = await Promise.all(ids.map((id) => api.read(runSchema, 'GET', `/api/v1/runs/${id}`)));
  expect(runs.map(({ convergenceReason }) => convergenceReason)).toEqual(
    ids.map((_, at) => (at % 5 === 4 ? 'user_stopped' : 'user_accepted')),
  );
  expect(runs.every(({ decisions }) => decisions.filter(({ by }) => by === 'person').length === 1)).toBe(true);
  await expect(page.getByTestId('decided-just-now').getByRole('listitem')).toHaveCount(5);
  expect(await violationsInBothThemes(page)).toEqual([]);
});

test('shortcuts navigate the list, a draft can be undone, and the URL keeps filters and selection', async ({
  page,
  app,
}) => {
  const api = openApi(app.address);
  const { experiment, ids } = await waitingRuns(api, 4, 'Move');
  await page.goto(`/inbox?experiment=${experiment}`);
  const position = page.getByTestId('inbox-place');
  await moveTo(page, position, 2);
  await expect(position).toHaveText('2 of 4');
  await expect(page).toHaveURL(new RegExp(`item=${ids[1]}`));
  await page.keyboard.press('k');
  await expect(position).toHaveText('1 of 4');
  await expect(page).toHaveURL(new RegExp(`item=${ids[0]}`));
  await page.reload();
  await expect(position).toHaveText('1 of 4');
  await pressUntil(page, 'a', page.getByText('Your draft:'));
  await page.keyboard.press('z');
  await expect(page.getByTestId('decision-bar')).toContainText('Paused at v0');

  const { waiting } = await api.read(inboxCountSchema, 'GET', '/api/v1/inbox/count');
  await expect(page).toHaveTitle(`(${waiting}) Inbox · Hone`);
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /Inbox/ })).toContainText(
    `${waiting}`,
  );
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('escalated');
  await expect(page.getByTestId('inbox-empty')).toContainText('No items match the filter');
  await expect(page).toHaveURL(/kind=escalated/);
  await page.getByRole('button', { name: /^Show all/ }).click();
  await expect(page.getByTestId('decision-bar')).toBeVisible();

  await page.goto(`/inbox?item=${ids[2]}`);
  await page.setViewportSize({ width: 375, height: 800 });
  await expect(page.getByTestId('decision-bar')).toBeVisible();
  expect(await excessWidth(page)).toBe(0);
  await clickUntil(
    page.getByRole('button', { name: /^Show list/ }),
    page.getByTestId('inbox-list').getByRole('button').first(),
  );
  expect(await excessWidth(page)).toBe(0);
});

test('on a phone, a toast does not cover the decision buttons, which fit in two rows', async ({ page, app }) => {
  const { experiment } = await waitingRuns(openApi(app.address), 2, 'Phone');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/inbox?experiment=${experiment}`);
  await pressUntil(page, 'a', page.getByText('Your draft:'));
  await page.getByRole('button', { name: 'Send now' }).click();
  const message = page
    .getByRole('region', { name: /^Messages/ })
    .getByRole('listitem')
    .filter({ hasText: 'Accepted v0' });
  await expect(message).toBeVisible();
  const bar = page.getByTestId('decision-bar');
  await expect(bar.getByRole('button', { name: 'Continue' })).toBeVisible();
  const [box, tops] = [await message.boundingBox(), await bar.getByRole('button').evaluateAll(topsOf)];
  if (box === null) throw new Error('the message closed before it was measured');
  expect(new Set(tops).size).toBe(2);
  expect(box.y + box.height).toBeLessThan(Math.min(...tops));
  expect(await excessWidth(page)).toBe(0);
});

function topsOf(elements: Element[]): number[] {
  return elements.map((element) => Math.round(element.getBoundingClientRect().top));
}

test('two reviewers: open items are marked and skipped, and a late decision shows the first', async ({
  page,
  browser,
  app,
}) => {
  const api = openApi(app.address);
  const { experiment, ids } = await waitingRuns(api, 3, 'Share');
  const path = `/inbox?experiment=${experiment}`;
  await page.goto(`${path}&item=${ids[1]}`);
  await expect(page.getByTestId('decision-bar')).toBeVisible();
  await expect
    .poll(
      async () =>
        (await api.read(inboxSchema, 'GET', `/api/v1${path.replace('experiment', 'experimentId')}`)).items[1]?.claim,
    )
    .toMatchObject({ who: 'another_window' });

  const context = await browser.newContext({ baseURL: app.address });
  const other = whole(await context.newPage());
  await other.goto(path);
  await expect(other).toHaveURL(new RegExp(`item=${ids[0]}`));
  const list = other.getByTestId('inbox-list');
  await expect(list.getByRole('button').nth(1)).toContainText('Another window opened it just now');
  expect(await violationsInBothThemes(other)).toEqual([]);

  // The item that opens automatically is not the one claimed by the first reviewer.
  await pressUntil(other, 'a', other.getByText('Your draft:'));
  await other.keyboard.press('Control+Enter');
  await expect(other).toHaveURL(new RegExp(`item=${ids[2]}`));

  // A claimed item can still be opened manually: the claim only informs and blocks no decision.
  await other.keyboard.press('k');
  await expect(other).toHaveURL(new RegExp(`item=${ids[1]}`));
  await expect(other.getByTestId('claim')).toContainText('Another window opened it');
  await pressUntil(other, 'a', other.getByText('Your draft:'));
  await other.keyboard.press('Control+Enter');

  const notice = page.getByTestId('decided-elsewhere');
  await expect(notice).toContainText(/Already decided: accept v0, in another window/, { timeout: 15_000 });
  await expect(notice).toContainText('Accepted by a person');
  await expect(page.getByTestId('decision-bar')).toBeHidden();
  // Leaving an item releases its claim.
  await other.goto('/');
  await page.keyboard.press('Control+Enter');
  await expect(page).toHaveURL(new RegExp(`item=${ids[2]}`), { timeout: 15_000 });
  await context.close();
});

test('a requested score is submitted and the next item opens', async ({ page, app }) => {
  const api = openApi(app.address);
  const experiment = await api.createExperiment({
    name: 'Taste',
    criteria: [{ name: 'taste', evaluator: 'human', threshold: 0.5, config: { question: 'Would you send it?' } }],
    qualityThreshold: 0.5,
  });
  const [first, second] = [await api.startRun(experiment, 'One'), await api.startRun(experiment, 'Two')];
  for (const id of [first, second]) await api.waitForRun(id, ['waiting']);
  await page.goto(`/inbox?experiment=${experiment}&kind=score&item=${first}`);
  const score = page.getByLabel('Your score of taste');
  await pressUntil(page, 'y', score.and(page.locator(':focus')));
  await page.keyboard.type('0.9');
  await page.keyboard.press('Control+Enter');
  await expect(page).toHaveURL(new RegExp(`item=${second}`), { timeout: 15_000 });
  expect(await api.waitForRun(first, ['finished'])).toMatchObject({ convergenceReason: 'quality_met' });
});

test('a repeated key press before the page updates causes no second decision and no conflict', async ({
  page,
  app,
}) => {
  const api = openApi(app.address);
  const { experiment, ids } = await waitingRuns(api, 3, 'Fast');
  const [first = '', second = ''] = ids;
  const refusal = page.getByText(/Already decided|no longer waits|not sent/);
  await page.goto(`/inbox?experiment=${experiment}`);
  await expect(page).toHaveURL(new RegExp(`item=${first}`));

  // Simulates a slow connection: the decision is stored, but the page has not reloaded the run yet.
  const held: (() => void)[] = [];
  let isSlow = true;
  await page.route(`**/api/v1/runs/${first}?*`, async (route) => {
    if (isSlow) await new Promise<void>((go) => held.push(go));
    // The page may have aborted this request to send a new one.
    await route.continue().catch(() => undefined);
  });
  const stored = page.waitForResponse(`**/api/v1/runs/${first}/decisions`);
  await pressUntil(page, 'a', page.getByText('Your draft:'));
  await page.keyboard.press('Control+Enter');
  await stored;
  await expect.poll(() => held.length).toBeGreaterThan(0);
  for (const key of ['Control+Enter', 'c', 'Control+Enter', 's', 'Control+Enter']) await page.keyboard.press(key);
  await expect(page).toHaveURL(new RegExp(`item=${first}`));
  isSlow = false;
  for (const go of held) go();
  await expect(page).toHaveURL(new RegExp(`item=${second}`));
  await expect(refusal).toHaveCount(0);

  // Leaves the item, which sends the draft, and returns before the response arrives.
  await pressUntil(page, 'a', page.getByText('Your draft:'));
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  for (const key of ['c', 'Control+Enter']) await page.keyboard.press(key);
  await expect.poll(async () => (await api.read(runSchema, 'GET', `/api/v1/runs/${second}`)).status).toBe('finished');
  await expect(page).not.toHaveURL(new RegExp(`item=${second}`));
  await expect(refusal).toHaveCount(0);
  for (const id of [first, second]) {
    const { decisions } = await api.read(runSchema, 'GET', `/api/v1/runs/${id}`);
    expect(decisions.filter(({ by }) => by === 'person').map(({ decision }) => decision)).toEqual(['accept']);
  }
});
