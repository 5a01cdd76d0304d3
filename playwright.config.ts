import { defineConfig } from '@playwright/test';
import { findBrowser } from './e2e/browser.ts';

/** Spec files that mostly wait, for restarts and for leases that expire. */
const WAITING = /e2e\/(faults|soak)\/.*\.spec\.ts$/;
/** Slow spec files, started first so that they do not end last. Each runs its tests serially. */
const SLOW = /e2e\/(attacks\/attacks|package\/package|team|team-review)\.spec\.ts$/;

const { executablePath, args } = await findBrowser();

export default defineConfig({
  testDir: 'e2e',
  projects: [
    // One at a time, beside tests that keep the processor busy. Together at the end they would leave it idle.
    { name: 'waiting', testMatch: WAITING, workers: 1 },
    { name: 'slow', testMatch: SLOW },
    { name: 'rest', testMatch: '**/*.spec.ts', testIgnore: [WAITING, SLOW], workers: 4 },
  ],
  // Node removes the types, which takes a third of the time that Playwright's compiler needs.
  build: { external: ['**/*.ts'] },
  globalSetup: './e2e/prepare-data.ts',
  outputDir: 'test-results',
  // Suits two cores: one worker mostly waits, and the others wait for part of their time.
  workers: 5,
  // The report of `npm test` lists tests that pass only on retry.
  retries: 1,
  forbidOnly: true,
  timeout: 90_000,
  // The default of 5 s is too short on a machine that runs two browsers and several apps.
  expect: { timeout: 15_000 },
  reporter: 'list',
  use: {
    // Pages are closed before optimizing their functions pays off, which would be a tenth of the browser's work.
    launchOptions: { executablePath, args: [...args, '--js-flags=--no-opt --no-maglev'] },
    viewport: { width: 1280, height: 800 },
    timezoneId: 'UTC',
    locale: 'en-GB',
    // Without it, an action waits for the whole test timeout.
    actionTimeout: 60_000,
    screenshot: 'only-on-failure',
    trace: 'on-first-retry',
  },
});
