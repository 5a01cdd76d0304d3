import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './e2e/longest-first.ts';

/** Rooms without a database, processes or state of their own: their test files may share a worker. */
const PURE = ['{components,lib/reflection,lib/measures,lib/lessons}/**/*.test.{ts,tsx}'];

export default defineConfig({
  test: {
    globalSetup: ['e2e/vitest-postgres.ts'],
    setupFiles: ['e2e/vitest-console.ts'],
    // Tests wait for the database and for processes a good part of their time.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    testTimeout: 20_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    env: { TZ: 'UTC' },
    projects: [
      {
        extends: true,
        test: { name: 'house', include: ['{app,components,lib,e2e}/**/*.test.{ts,tsx}'], exclude: PURE },
      },
      { extends: true, test: { name: 'pure', include: PURE, isolate: false } },
    ],
  },
});
