import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{app,components,lib,e2e}/**/*.test.{ts,tsx}'],
    globalSetup: ['e2e/vitest-postgres.ts'],
    setupFiles: ['e2e/vitest-console.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    env: { TZ: 'UTC' },
  },
});
