import type { BrowserContext, Page } from '@playwright/test';
import { z } from 'zod';
import { SMALL } from './api/open-api.ts';
import { expect, test as local, whole } from './app.ts';
import { excessWidth, violationsInBothThemes } from './axe.ts';
import { freePort } from './free-port.ts';
import { clickUntil } from './press-until.ts';
import { type StartedApp, startApp } from './start-app.ts';

/** Like the test fixture of the other browser specs, but in team mode without members. */
const test = local.extend<object, { app: StartedApp }>({
  app: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here.
    async ({}, use) => {
      const port = await freePort();
      const env = { HONE_MODE: 'team', HONE_SECRET: 'a-secret-of-the-tests-that-is-long-enough' };
      const app = await startApp({ port, env: { ...env, APP_URL: `http://127.0.0.1:${port}` } });
      await use(app);
      await app.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});

const PASSWORD = 'correct horse battery staple';
const OWNER = { name: 'Ada Owner', email: 'ada@team.example' };
const MEMBER = { name: 'Ben Member', email: 'ben@team.example' };

test('a team from its first link: owner, invitation, roles, lessons of each member, a shared run, and an ended session', async ({
  app,
  page: owner,
  browser,
  expectConsole,
}) => {
  test.setTimeout(120_000);
  // The browser logs every refused page request to the console.
  expectConsole(/status of (401|403)/);
  const theirs = await browser.newContext({ baseURL: app.address });
  const member = whole(await theirs.newPage());

  await test.step('the first owner joins with the printed link, which then becomes invalid', async () => {
    await owner.goto('/');
    await expect(owner).toHaveURL(/\/sign-in/);
    expect(await layoutFaults(owner)).toEqual([]);
    const link = await app.waitForOutput(/\/join\/[\w-]{43}/);
    const path = /\/join\/[\w-]{43}/.exec(link)?.[0] ?? '';
    await join(owner, path, OWNER);
    await member.goto(path);
    await expect(member.getByRole('heading', { name: 'This link is not valid' })).toBeVisible();
    expect(await layoutFaults(member)).toEqual([]);
  });

  await test.step('an owner invites a member, who joins with the link and is signed in', async () => {
    await owner.goto('/settings/team');
    const dialog = owner.getByRole('dialog');
    await clickUntil(owner.getByRole('button', { name: 'Invite' }), dialog);
    await dialog.getByLabel('Role').selectOption('owner');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await owner.getByRole('button', { name: 'Invite' }).click();
    await expect(dialog.getByLabel('Role')).toHaveValue('reviewer');
    await dialog.getByLabel('Label').fill('Ben');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const link = await dialog.getByTestId('made-link').innerText();
    await join(member, new URL(link).pathname, MEMBER);
    await expect(member.getByRole('link', { name: /Ben Member/ })).toContainText('reviewer');
  });

  await test.step('a reviewer sees unavailable actions disabled with the required role', async () => {
    await member.goto('/experiments');
    const add = member.getByRole('button', { name: /New experiment/ }).first();
    await expect(add).toBeDisabled();
    await expect(add).toHaveAttribute('title', /editor/);
    await member.goto('/');
    const banner = member.getByRole('region', { name: 'Practice data' });
    await expect(banner).toBeVisible();
    await expect(banner.getByRole('link')).toHaveCount(0);
  });

  const lesson = await call(owner, 'POST', '/api/v1/lessons', { kind: 'lesson', text: 'Say which bicycle, then how.' });
  await test.step('the editor of a lesson cannot promote it, not even as owner, on its page or through the API', async () => {
    const path = `/api/v1/lessons/${lesson.id}`;
    await expect(async () => expect((await call(owner, 'GET', path)).status).toBe('quarantined')).toPass();
    await call(member, 'PATCH', path, { editCount: 0, text: 'Say which bicycle it is, then how.' });
    const refused = await member.request.post(`${path}/reviews`, { data: { verdict: 'promote', editCount: 1 } });
    expect(refused.status()).toBe(403);
    await member.goto(`/lessons/${lesson.id}`);
    await expect(member.getByRole('button', { name: /^Promote/ })).toBeDisabled();
    await expect(member.getByTestId('lesson-people')).toContainText('someone else must promote it');
    const judged = await owner.request.post(`${path}/reviews`, { data: { verdict: 'promote', editCount: 1 } });
    expect(judged.status()).toBe(403);
  });

  await test.step('another person sees a run continue after the first decides', async () => {
    const settings = { ...SMALL, callbacks: { pause: 'before_finish' }, maxIterations: 0, qualityThreshold: 1 };
    const { id: experiment } = await call(owner, 'POST', '/api/v1/experiments', settings);
    const input = 'Explain how a bicycle stays upright.';
    const started = await owner.request.post(`/api/v1/experiments/${experiment}/runs`, { data: { input } });
    const run = z.object({ runIds: z.array(z.string()) }).parse(await started.json()).runIds[0];
    await member.goto(`/runs/${run}`);
    await expect(member.getByTestId('run-status')).toContainText(/waiting/i, { timeout: 20_000 });
    await owner.goto(`/runs/${run}`);
    const send = owner.getByRole('button', { name: /^Send now/ });
    await clickUntil(owner.getByRole('button', { name: /^Accept/ }).first(), send);
    await send.click();
    await expect(member.getByTestId('run-status')).toContainText(/finished|accepted/i, { timeout: 20_000 });
    await expect(member.getByTestId('decisions')).toContainText(OWNER.name);
  });

  await test.step('a role change takes effect at once; only owners can change settings', async () => {
    await owner.goto('/settings/team');
    await expect(async () => {
      await owner.getByLabel(`Role of ${MEMBER.name}`).selectOption('editor');
      await expect(owner.getByText(`${MEMBER.name} is an editor now`).first()).toBeVisible({ timeout: 5_000 });
    }).toPass({ timeout: 30_000 });
    await member.goto('/experiments/new');
    await expect(member.getByRole('button', { name: 'Save without running' })).toBeEnabled();
    const answer = await member.goto('/settings');
    expect(answer?.status()).toBe(403);
    await expect(member.getByTestId('no-access')).toContainText(OWNER.name);
    await expect(member).toHaveURL(/\/settings$/);
    expect(await countRefusals(owner)).toBe(1);
    // Prefetching is refused as well. Soon after another refusal it is only counted.
    const ahead = await member.request.get('/settings', { headers: { rsc: '1', 'next-router-prefetch': '1' } });
    expect(ahead.status()).toBe(403);
    expect(await countRefusals(owner)).toBe(1);
    // Also behind a TLS proxy.
    const forwarded = await member.request.get('/settings', { headers: { 'x-forwarded-proto': 'https' } });
    expect(forwarded.status()).toBe(403);
    expect(await forwarded.text()).toContain('You don’t have access to this page');
    // The no-access page is rendered directly, without another request to the server.
    expect(app.output()).not.toMatch(/MaxListenersExceeded|\/no-access/);
  });

  await test.step('an ended session or changed role keeps typed input, and the page shows the reason', async () => {
    await member.goto(`/lessons/${lesson.id}`);
    const talk = member.getByTestId('lesson-talk');
    const comment = talk.getByLabel('Comment', { exact: true });
    const say = talk.getByRole('button', { name: 'Comment', exact: true });
    await owner.goto('/settings/team');
    await comment.fill('Typed before the session ended.');
    await endSessions(owner);
    await say.click();
    await expect(talk).toContainText('Your session has ended, and nothing was stored.');
    await expect(comment).toHaveValue('Typed before the session ended.');
    const opened = theirs.waitForEvent('page');
    await talk.getByRole('link', { name: 'Sign in in another tab' }).click();
    const other = whole(await opened);
    await signIn(other);
    await expect(other).toHaveURL(/\/$/);
    await say.click();
    await expect(talk.getByRole('listitem').filter({ hasText: 'Typed before the session ended.' })).toBeVisible();
    await expect(comment).toHaveValue('');

    await comment.fill('Typed before the role was taken.');
    await giveRole(owner, 'viewer', `${MEMBER.name} is a viewer now`);
    await say.click();
    await expect(talk).toContainText(
      'This requires the role reviewer. Your role is viewer. Ask an owner to change it.',
    );
    await expect(comment).toHaveValue('Typed before the role was taken.');
    await giveRole(owner, 'editor', `${MEMBER.name} is an editor now`);
    await say.click();
    await expect(comment).toHaveValue('');

    await signOut(member, theirs);
    await other.getByRole('link', { name: 'Experiments' }).first().click();
    await expect(other).toHaveURL(/\/sign-in/);
    await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await expect(other.getByRole('button', { name: 'Sign out' })).toHaveCount(0);
    await expect(other.getByRole('link', { name: 'Experiments' })).toHaveCount(0);
    await other.close();
    await member.goto('/sign-in');
    await signIn(member);
    await expect(member).toHaveURL(/\/$/);

    await owner.goto('/settings/team');
    await endSessions(owner);
    await member.getByRole('button', { name: 'Sign out' }).first().click();
    await expect(member).toHaveURL(/\/sign-in$/);
    await signIn(member);
    await expect(member).toHaveURL(/\/$/);
  });

  await test.step('a signed-out member is redirected to sign in and back to the previous page', async () => {
    // Reloads to dismiss the earlier toast.
    await owner.goto('/settings/team');
    await endSessions(owner);
    expect((await member.request.get('/api/v1/runs')).status()).toBe(401);
    await member.goto('/datasets?sort=name');
    await expect(member).toHaveURL(/\/sign-in\?to=/);
    await member.getByLabel('E-mail address').fill(MEMBER.email);
    await member.getByLabel('Password').fill('not the right one');
    await member.getByRole('button', { name: 'Sign in' }).click();
    await expect(member.getByText('or the password is wrong')).toBeVisible();
    await member.route('**/sign-in**', (route) =>
      route.request().method() === 'POST' ? route.abort('connectionrefused') : route.continue(),
    );
    await member.getByRole('button', { name: 'Sign in' }).click();
    await expect(member.getByText('Hone did not respond. Try again.')).toBeVisible();
    await expect(member.getByLabel('E-mail address')).not.toHaveValue('');
    await member.unroute('**/sign-in**');
    await expect(member.getByLabel('Password')).toBeFocused();
    await signIn(member);
    await expect(member).toHaveURL(/\/datasets\?sort=name/);
    await signOut(member, theirs);
  });
});

/** Ends the member's sessions from the owner's team page. */
async function endSessions(owner: Page): Promise<void> {
  await owner.getByRole('button', { name: `More for ${MEMBER.name}` }).click();
  await owner.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(owner.getByText(`${MEMBER.name}: 1 session ended`, { exact: true })).toBeVisible();
}

async function giveRole(owner: Page, role: string, message: string): Promise<void> {
  await owner.getByLabel(`Role of ${MEMBER.name}`).selectOption(role);
  await expect(owner.getByText(message).first()).toBeVisible();
}

/** Retries, because text typed before hydration is lost. */
async function signIn(page: Page): Promise<void> {
  await expect(async () => {
    // An earlier attempt may succeed late.
    if (!page.url().includes('/sign-in')) return;
    await page.getByLabel('E-mail address').fill(MEMBER.email, { timeout: 5_000 });
    await page.getByLabel('Password').fill(PASSWORD, { timeout: 5_000 });
    await page.getByRole('button', { name: 'Sign in' }).click({ timeout: 5_000 });
    // Password hashing is slow by design, and the machine may be busy.
    await expect(page).not.toHaveURL(/\/sign-in/, { timeout: 15_000 });
  }).toPass();
}

async function join(page: Page, path: string, { name, email }: typeof OWNER): Promise<void> {
  await page.goto(path);
  expect(await layoutFaults(page)).toEqual([]);
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Join and sign in' }).click();
  await expect(page).toHaveURL(/\/$/);
}

/**
 * Returns the axe violations in both themes, on wide and narrow screens, and any horizontal scrolling on narrow ones. The window ends up
 * wide.
 */
async function layoutFaults(page: Page): Promise<string[]> {
  const wide = page.viewportSize() ?? { width: 1280, height: 800 };
  const faults = await violationsInBothThemes(page);
  await page.setViewportSize({ width: 375, height: 800 });
  faults.push(...(await violationsInBothThemes(page)).map((complaint) => `at 375 px: ${complaint}`));
  const excess = await excessWidth(page);
  if (excess > 0) faults.push(`at 375 px: ${excess} px too wide`);
  await page.setViewportSize(wide);
  return faults;
}

/** Signs out and checks that no cookie is left. */
async function signOut(page: Page, context: BrowserContext): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await expect(page).toHaveURL(/\/sign-in/);
  expect((await context.cookies()).filter(({ name, value }) => name.includes('session') && value !== '')).toEqual([]);
}

const auditPage = z.object({ items: z.array(z.object({ entry: z.string().nullable(), outcome: z.string() })) });

/** Returns the number of audit log entries for refused access to the settings. */
async function countRefusals(owner: Page): Promise<number> {
  const answer = await owner.request.get('/api/v1/audit?limit=100');
  const { items } = auditPage.parse(await answer.json());
  return items.filter(({ entry, outcome }) => entry === 'page /settings' && outcome === 'refused').length;
}

const answered = z.object({ id: z.string(), status: z.string().optional() });

/** Calls the API as the user who is signed in on the page. */
async function call(page: Page, method: string, path: string, data?: unknown): Promise<z.infer<typeof answered>> {
  const answer = await page.request.fetch(path, data === undefined ? { method } : { method, data });
  if (!answer.ok()) throw new Error(`${method} ${path} answered ${answer.status()}: ${await answer.text()}`);
  return answered.parse(await answer.json());
}
