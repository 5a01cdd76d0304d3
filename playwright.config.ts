import { defineConfig } from '@playwright/test';
import { findBrowser } from './e2e/browser.ts';

/** Slow spec files, started first so that they do not end last. Each runs its tests serially. */
const FIRST = /e2e\/(attacks\/attacks|package\/package|team|team-review)\.spec\.ts$/;

export default defineConfig({
  testDir: 'e2e',
  projects: [
    { name: 'first', testMatch: FIRST },
    { name: 'rest', testMatch: '**/*.spec.ts', testIgnore: FIRST },
  ],
  globalSetup: './e2e/prepare-data.ts',
  outputDir: 'test-results',
  // Suits two cores, because most tests spend much of their time waiting.
  workers: 4,
  // The report of `npm test` lists tests that pass only on retry.
  retries: 1,
  forbidOnly: true,
  timeout: 90_000,
  // The default of 5 s is too short on a machine that runs two browsers and several apps.
  expect: { timeout: 15_000 },
  reporter: 'list',
  use: {
    launchOptions: await findBrowser(),
    viewport: { width: 1280, height: 800 },
    timezoneId: 'UTC',
    locale: 'en-GB',
    // Without it, an action waits for the whole test timeout.
    actionTimeout: 60_000,
    screenshot: 'only-on-failure',
    trace: 'on-first-retry',
  },
});
