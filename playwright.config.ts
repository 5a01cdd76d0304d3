import { defineConfig } from '@playwright/test';
import { findBrowser } from './e2e/browser.ts';

/** Slow tests that start first, so that they do not end last: each runs its tests one after another. */
const FIRST = /e2e\/(attacks\/attacks|package\/package|team|team-review)\.spec\.ts$/;

export default defineConfig({
  testDir: 'e2e',
  projects: [
    { name: 'first', testMatch: FIRST },
    { name: 'rest', testMatch: '**/*.spec.ts', testIgnore: FIRST },
  ],
  globalSetup: './e2e/prepare-data.ts',
  outputDir: 'test-results',
  // On two cores: most tests wait a good part of their time.
  workers: 4,
  // A test that passes only at its second try is named at the end of `npm test`.
  retries: 1,
  forbidOnly: true,
  timeout: 90_000,
  // A machine that runs two browsers and several apps takes longer than the 5 s that are the default.
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
