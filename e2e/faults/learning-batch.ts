import { expect } from '@playwright/test';
import { startedSchema } from '#lib/api/experiments-schema.ts';
import { batchSchema, runSchema, runsSchema } from '#lib/api/runs-schema.ts';
import { type Api, openApi } from '../api/open-api.ts';
import { createProvider } from '../create-provider.ts';
import type { StartedApp } from '../start-app.ts';
import { expectedAttempts, expectedCurve, type LearningProvider, type LearningTask } from './learning-provider.ts';

const MAX_ATTEMPTS = 5;

/** Returns tasks that are solved at different attempts, some never. The result is the same for each call. */
export function learningTasks(count: number): LearningTask[] {
  return Array.from({ length: count }, (_, number) => ({
    question: `What is in box number ${number} of the store?`,
    answer: `thing ${number}`,
    solvedAt: [1, 2, 1, 3, 4, 1, null, 2, 5, 1][number % 10] ?? null,
  }));
}

/** Starts a retry experiment over the tasks and returns its batch. */
export async function startLearningBatch(
  app: Pick<StartedApp, 'address'>,
  provider: LearningProvider,
  tasks: LearningTask[],
  limits: { maxConcurrency?: number } = {},
): Promise<string> {
  const api = openApi(app.address);
  await createProvider(api, { name: 'learning', baseUrl: provider.baseUrl, ...limits });
  const experimentId = await api.createExperiment({
    mode: 'retry',
    generator: { provider: 'learning', model: 'actor' },
    reflectionModel: { provider: 'learning', model: 'reflector' },
    criteria: [{ name: 'exact', evaluator: 'reference', config: { match: 'exact', extract: 'Finish\\[(.*?)\\]' } }],
    qualityThreshold: 1,
    maxAttempts: MAX_ATTEMPTS,
    convergence: null,
  });
  const cases = tasks.map((task) => ({ input: task.question, reference: task.answer }));
  return (await api.read(startedSchema, 'POST', `/api/v1/experiments/${experimentId}/runs`, { cases })).batchId;
}

/**
 * Waits until the batch has ended and checks that its result matches an uninterrupted run: the curve, each version and lesson once, and at
 * most `repeats` repeated calls.
 */
export async function expectWholeBatch(
  app: StartedApp,
  batchId: string,
  provider: LearningProvider,
  tasks: LearningTask[],
  repeats: number,
): Promise<void> {
  const api = openApi(app.address);
  const read = () => api.read(batchSchema, 'GET', `/api/v1/batches/${batchId}`);
  // The API returns errors while the database is down, so only the final status counts.
  const status = () =>
    read().then(
      (batch) => batch.status,
      () => 'not reached',
    );
  await expect.poll(status, { timeout: 120_000 }).toBe('finished');
  const { counts, report } = await read();
  expect(counts).toMatchObject({ finished: tasks.length, failed: 0 });
  expect(report.solvedByIteration).toEqual(expectedCurve(tasks, MAX_ATTEMPTS));
  await expectEachOnce(api, batchId);
  const attempts = expectedAttempts(tasks, MAX_ATTEMPTS);
  const lessons = attempts - tasks.length;
  expect(provider.actorCalls()).toBeGreaterThanOrEqual(attempts);
  expect(provider.calls.length).toBeLessThanOrEqual(attempts + lessons + repeats);
}

async function expectEachOnce(api: Api, batchId: string): Promise<void> {
  const { items } = await api.read(runsSchema, 'GET', `/api/v1/runs?batchId=${batchId}&limit=200`);
  for (const { id } of items) {
    const run = await api.read(runSchema, 'GET', `/api/v1/runs/${id}`);
    expect(run.versions.map((version) => version.number)).toEqual(run.versions.map((_, position) => position));
    expect(run.lessons.map((lesson) => lesson.version)).toEqual(run.lessons.map((_, position) => position));
  }
}
