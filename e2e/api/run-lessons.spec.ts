import { startedSchema } from '#lib/api/experiments-schema.ts';
import { runLessonsSchema } from '#lib/runs/schema.ts';
import { expect, test } from './api-test.ts';

test('returns the lessons of a run and 404 for an unknown run', async ({ api }) => {
  const experiment = await api.createExperiment({
    name: 'Sums that are learned',
    mode: 'retry',
    criteria: [{ name: 'exact', evaluator: 'reference', config: { match: 'exact', extract: 'Finish\\[(.*?)\\]' } }],
    qualityThreshold: 1,
    maxAttempts: 3,
    convergence: null,
  });
  const { runIds } = await api.read(startedSchema, 'POST', `/api/v1/experiments/${experiment}/runs`, {
    cases: [{ input: 'What is 17 * 23 + 5?', reference: '0' }],
  });
  const runId = runIds[0] ?? '';
  const run = await api.waitForRun(runId, ['finished']);
  const lessons = await api.read(runLessonsSchema, 'GET', `/api/v1/runs/${runId}/lessons`);
  expect(lessons.written.map(({ id }) => id)).toEqual(run.lessons.map(({ id }) => id));
  expect(lessons.recalled.filter(({ isOwn }) => isOwn).length).toBeGreaterThan(0);
  const unknown = await api.call('GET', '/api/v1/runs/00000000-0000-4000-8000-000000000000/lessons');
  expect(unknown).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
});
