import type { Browser, Page } from '@playwright/test';
import type { Role } from '#lib/auth/role.ts';
import { lessonDetailSchema } from '#lib/core/lesson-library.ts';
import { expect, test as local, whole } from './app.ts';
import { excessWidth, violationsInBothThemes } from './axe.ts';
import { pressUntil } from './press-until.ts';
import type { StartedApp } from './start-app.ts';
import { startTeamApp, type TeamApp } from './team-app.ts';

/** Like the test fixture of the other browser specs, but in team mode with a member of each role. */
const test = local.extend<object, { team: TeamApp; app: StartedApp }>({
  team: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here.
    async ({}, use) => {
      const team = await startTeamApp();
      await use(team);
      await team.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  app: [({ team }, use) => use(team.app), { scope: 'worker' }],
});

/** Opens a page in a browser context where this member is signed in. */
async function pageOf(browser: Browser, team: TeamApp, role: Role): Promise<Page> {
  const context = await browser.newContext({ baseURL: team.app.address });
  const cookies = team
    .as(role)
    .cookie.split('; ')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return { name, value: value.join('='), url: team.app.address };
    });
  await context.addCookies(cookies);
  return whole(await context.newPage());
}

/** Adds a lesson as the editor and waits until it is ready for review. */
async function waitingLesson(editor: Page, text: string): Promise<string> {
  const added = await editor.request.post('/api/v1/lessons', { data: { kind: 'lesson', text } });
  const { id } = lessonDetailSchema.parse(await added.json());
  await expect.poll(() => statusOf(editor, id), { timeout: 30_000 }).toBe('quarantined');
  return id;
}

async function statusOf(page: Page, id: string): Promise<string> {
  return lessonDetailSchema.parse(await (await page.request.get(`/api/v1/lessons/${id}`)).json()).status;
}

test('a vote with a reason takes two keys, objections are confirmed, and two approvals are required if set', async ({
  browser,
  team,
}) => {
  test.setTimeout(120_000);
  const [owner, editor, reviewer] = [
    await pageOf(browser, team, 'owner'),
    await pageOf(browser, team, 'editor'),
    await pageOf(browser, team, 'reviewer'),
  ];
  const objected = await waitingLesson(editor, 'Name the unit of every length before adding them up.');

  await test.step('a vote with its reason is stored by one key, the reason and Enter', async () => {
    await reviewer.goto(`/lessons/${objected}`);
    await expect(reviewer.getByTestId('lesson-people')).toContainText('no votes on this text yet');
    await pressUntil(reviewer, 'n', reviewer.locator('label', { hasText: 'Reason' }).locator('input:focus'));
    await reviewer.keyboard.type('It holds for tables only');
    await reviewer.keyboard.press('Enter');
    const talk = reviewer.getByTestId('lesson-talk');
    await expect(talk).toContainText('You voted against it');
    await expect(talk).toContainText('It holds for tables only');
    await expect(reviewer.getByRole('button', { name: /^Vote/ })).toHaveCount(0);
  });

  await test.step('the author sees the vote; people who may still vote do not', async () => {
    await editor.goto(`/lessons/${objected}`);
    await expect(editor.getByTestId('lesson-talk')).toContainText('It holds for tables only');
    await owner.goto(`/lessons/review?lesson=${objected}`);
    await expect(owner.getByTestId('lesson-people')).toContainText('1 vote on this text');
    await expect(owner.getByTestId('lesson-talk')).not.toContainText('It holds for tables only');
    await expect(owner.getByRole('button', { name: /^Vote for/ })).toBeVisible();
    expect(await violationsInBothThemes(owner)).toEqual([]);
  });

  await test.step('a promotion counts as a vote, reveals the objection and asks for confirmation; Escape keeps the lesson', async () => {
    await owner.keyboard.press('p');
    await expect(owner.getByTestId('objections')).toContainText(
      'The reviewer voted against it: It holds for tables only',
    );
    await expect(owner.getByRole('button', { name: /^Promote anyway/ })).toBeVisible();
    expect(await violationsInBothThemes(owner)).toEqual([]);
    await owner.setViewportSize({ width: 390, height: 844 });
    expect(await excessWidth(owner)).toBe(0);
    await owner.setViewportSize({ width: 1280, height: 720 });
    expect(await statusOf(owner, objected)).toBe('quarantined');
    await owner.keyboard.press('Escape');
    await expect(owner.getByTestId('objections')).toBeHidden();
    await expect(owner.getByTestId('lesson-talk')).toContainText('You voted for it');
  });

  await test.step('the lesson is listed as contested and is promoted after confirmation', async () => {
    await owner.goto('/lessons/review?part=contested');
    await expect(owner.getByRole('radio', { name: 'Contested: reviewers disagree, 1' })).toBeChecked();
    await expect(owner.getByTestId('review-list').getByRole('button')).toHaveCount(1);
    await expect(owner.getByTestId('lesson-people')).toContainText('2 votes on this text');
    await owner.keyboard.press('p');
    await expect(owner.getByTestId('objections')).toBeVisible();
    await owner.keyboard.press('p');
    await expect(owner.getByTestId('review-empty')).toBeVisible();
    expect(await statusOf(owner, objected)).toBe('promoted');
  });

  await test.step('if two approvals are required, one person cannot promote a lesson on the page or through the API', async () => {
    await owner.goto('/settings');
    await owner.getByRole('button', { name: 'Turn two-person review on' }).click();
    await expect(owner.getByRole('button', { name: 'Turn two-person review off' })).toBeVisible();
    const id = await waitingLesson(editor, 'Round only the last figure of a chain of sums.');
    const alone = await reviewer.request.post(`/api/v1/lessons/${id}/reviews`, {
      data: { verdict: 'promote', editCount: 0 },
    });
    expect(await alone.json()).toMatchObject({ status: 'quarantined', pending: { why: 'second_person' } });
    await owner.goto(`/lessons/${id}`);
    await pressUntil(owner, 'p', owner.locator('[data-slot="page-head"]').getByText('promoted'));
    expect(await statusOf(owner, id)).toBe('promoted');
  });
});
