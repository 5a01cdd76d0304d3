import type { TestProject } from 'vitest/node';
import { startTestPostgres } from '#lib/db/start-test-postgres.ts';
import { generateClient } from '#lib/start/generate-client.mjs';

/** Vitest's global setup: one PostgreSQL for the whole run; answers the function that stops it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await generateClient();
  const { connectionString, templateName, stop } = await startTestPostgres();
  project.provide('testPostgres', { connectionString, templateName });
  return stop;
}
