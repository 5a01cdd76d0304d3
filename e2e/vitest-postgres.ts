import type { TestProject } from 'vitest/node';
import { generateClient } from '#lib/server/generate-client.mjs';
import { createTemplate, startTestPostgres } from '#lib/testing/start-test-postgres.ts';

/** Vitest's global setup: starts one PostgreSQL for all tests and returns the function that stops it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await generateClient();
  const { connectionString, stop } = await startTestPostgres();
  project.provide('testPostgres', { connectionString, templateName: await createTemplate(connectionString) });
  return stop;
}
