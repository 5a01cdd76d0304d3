import { test as base, type Page } from '@playwright/test';
import { type StartedApp, startApp } from './start-app.ts';

export { expect } from '@playwright/test';

/**
 * Playwright's `test` with `app`: one real Hone per worker, with an empty data folder; `page.goto('/')` goes there.
 * Errors on the page's console, and errors nobody caught, fail the test, except those a test says it expects:
 * `expectConsole(/pattern/)`.
 */
export const test = base.extend<{ expectConsole: (pattern: RegExp) => void }, { app: StartedApp }>({
  app: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here.
    async ({}, use) => {
      const app = await startApp();
      await setDefaultModel(app.address, { provider: 'practice', model: 'practice-1' });
      await use(app);
      await app.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ app }, use) => use(app.address),
  page: ({ page }, use) => use(whole(page)),
  expectConsole: [
    async ({ context }, use) => {
      const expected: RegExp[] = [];
      const errors: string[] = [];
      context.on('console', (message) => {
        if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url})`);
      });
      context.on('weberror', (error) => errors.push(String(error.error().stack ?? error.error())));
      await use((pattern) => expected.push(pattern));
      const unexpected = errors.filter((error) => !expected.some((pattern) => pattern.test(error)));
      if (unexpected.length > 0) throw new Error(`errors on the page's console:\n${unexpected.join('\n')}`);
    },
    { auto: true },
  ],
});

/** New experiments and prompts begin with this model, whatever providers other tests of the same app connect. */
export async function setDefaultModel(address: string, generator: { provider: string; model: string }): Promise<void> {
  const response = await fetch(`${address}/api/v1/default-models`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ generator }),
  });
  if (!response.ok) throw new Error(`the default model was not set: ${await response.text()}`);
}

/** The same page: where it is told to go to, it is there as a whole before anything is looked for. */
export function whole(page: Page): Page {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  page.goto = async (url, options) => {
    const response = await goto(url, options);
    if (options?.waitUntil !== 'commit') await allRevealed(page);
    return response;
  };
  page.reload = async (options) => {
    const response = await reload(options);
    await allRevealed(page);
    return response;
  };
  return page;
}

/**
 * What is streamed stands in a hidden place until React puts it where it belongs, for a moment beside a copy that the browser made
 * itself: a locator would find both. For pages that are come to otherwise than by `goto`, as by a form.
 */
export async function allRevealed(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('div[hidden][id^="S:"]') === null, null, { timeout: 10_000 });
}
