import { test as base, type Page, type Response } from '@playwright/test';
import { type StartedApp, startApp } from './start-app.ts';

export { expect } from '@playwright/test';

/** The browser logs each change that the API refuses, such as a form with invalid input. The page shows the reason. */
function isRefusedChange(response: Response): boolean {
  const { pathname } = new URL(response.url());
  return (
    [400, 409].includes(response.status()) && response.request().method() !== 'GET' && pathname.startsWith('/api/v1/')
  );
}

/**
 * Playwright's `test` with `app`: one real Hone per worker with an empty data directory, which `page.goto('/')` opens. Console errors and
 * uncaught errors fail a test unless it allows them with `expectConsole(/pattern/)`.
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
      const refused = new Set<string>();
      context.on('response', (response) => {
        if (isRefusedChange(response)) refused.add(`status of ${response.status()} (${response.url()})`);
      });
      context.on('console', (message) => {
        if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url})`);
      });
      context.on('weberror', (error) => errors.push(String(error.error().stack ?? error.error())));
      await use((pattern) => expected.push(pattern));
      const unexpected = errors.filter(
        (error) =>
          !expected.some((pattern) => pattern.test(error)) &&
          !refused.has(error.replace(/^.*(status of \d+) .*(\(\S+\))$/, '$1 $2')),
      );
      if (unexpected.length > 0) throw new Error(`errors on the page's console:\n${unexpected.join('\n')}`);
    },
    { auto: true },
  ],
});

/** Sets the model of new experiments and prompts, independent of providers that other tests of the same app connect. */
export async function setDefaultModel(address: string, generator: { provider: string; model: string }): Promise<void> {
  const response = await fetch(`${address}/api/v1/default-models`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ generator }),
  });
  if (!response.ok) throw new Error(`the default model was not set: ${await response.text()}`);
}

/** Returns the page with `goto` and `reload` that wait until all streamed content is shown. */
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
 * Waits until React has moved streamed content out of its hidden container; until then locators may match two copies. Needed after
 * navigation other than `goto`, such as a form submit.
 */
export async function allRevealed(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('div[hidden][id^="S:"]') === null, null, { timeout: 10_000 });
}
