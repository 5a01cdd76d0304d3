import { test as base } from '@playwright/test';
import { type StartedApp, startApp } from '../start-app.ts';
import { type Api, openApi } from './open-api.ts';

export { expect } from '@playwright/test';

/** Playwright's `test` with one real Hone per worker (`app`) and an API client (`api`). Starts no browser. */
export const test = base.extend<{ api: Api }, { app: StartedApp }>({
  app: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here.
    async ({}, use) => {
      const app = await startApp();
      await use(app);
      await app.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  api: ({ app }, use) => use(openApi(app.address)),
});
