import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './e2e/longest-first.ts';

export default defineConfig({
  test: {
    globalSetup: ['e2e/vitest-postgres.ts'],
    setupFiles: ['e2e/vitest-console.ts'],
    // Tests spend much of their time waiting for the database and for processes.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: LongestFirst },
    testTimeout: 20_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    env: { TZ: 'UTC' },
    include: ['{app,components,lib,e2e}/**/*.test.{ts,tsx}'],
    // Reloading the modules for each file would take as long as the tests. No test file leaves state in them.
    isolate: false,
  },
});
