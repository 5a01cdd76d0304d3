import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './e2e/longest-first.ts';

export default defineConfig({
  test: {
    globalSetup: ['e2e/vitest-postgres.ts'],
    setupFiles: ['e2e/vitest-console.ts'],
    // Tests wait for the database and for processes a good part of their time.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: LongestFirst },
    testTimeout: 20_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    env: { TZ: 'UTC' },
    include: ['{app,components,lib,e2e}/**/*.test.{ts,tsx}'],
    // To load the modules anew for each file would take as long as the tests themselves: no file leaves anything behind in them.
    isolate: false,
  },
});
