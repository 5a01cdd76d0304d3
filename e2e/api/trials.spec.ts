import { createdDatasetSchema } from '#lib/api/datasets-schema.ts';
import { startedTrialSchema, trialEstimateSchema, trialsSchema } from '#lib/api/lessons-schema.ts';
import { lessonDetailSchema } from '#lib/core/lesson-library.ts';
import { expect, test } from './api-test.ts';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const TASKS = ['Describe our release process', 'Write a guide to code reviews', 'Explain the refund policy'];

test('tests a lesson with two batches of runs, with an estimate before and the lift after', async ({ api }) => {
  const text = 'Next time, add an example; list the steps in order, numbered; and end with a one-line summary.';
  const stored = await api.call('POST', '/api/v1/lessons', { kind: 'lesson', text });
  expect(stored.status).toBe(201);
  const { id } = lessonDetailSchema.parse(stored.body);
  const lesson = async () => (await api.read(lessonDetailSchema, 'GET', `/api/v1/lessons/${id}`)).status;
  await expect.poll(lesson, { timeout: 20_000 }).toBe('quarantined');
  const experimentId = await api.createExperiment({ maxIterations: 0 });
  const cases = TASKS.map((input) => ({ input }));
  const { id: datasetId } = await api.read(createdDatasetSchema, 'POST', '/api/v1/datasets', {
    name: 'Guides',
    cases,
  });
  const input = { experimentId, datasetId, repetitions: 2 };
  const path = `/api/v1/lessons/${id}/trials`;
  const estimate = await api.read(trialEstimateSchema, 'POST', `${path}/estimate`, input);
  expect(estimate).toEqual({ cases: 3, leftOut: 0, runs: 12, calls: { lowest: 24, highest: 24 } });
  const started = await api.read(startedTrialSchema, 'POST', path, input);
  expect(started).toMatchObject(estimate);
  const trials = async () => (await api.read(trialsSchema, 'GET', path)).items;
  await expect.poll(async () => (await trials())[0]?.ended, { timeout: 30_000 }).toBe(12);
  expect((await trials())[0]).toMatchObject({
    id: started.id,
    repetitions: 2,
    result: { n: 3, unscored: 0, isSmall: true },
    cases: TASKS.map((task) => expect.objectContaining({ case: task })),
  });
});

test('rejects values out of range and unknown lessons', async ({ api }) => {
  const experimentId = await api.createExperiment();
  expect((await api.call('GET', `/api/v1/lessons/${UNKNOWN_ID}/trials`)).status).toBe(404);
  for (const path of ['trials', 'trials/estimate', 'instructions'])
    expect((await api.call('POST', `/api/v1/lessons/${UNKNOWN_ID}/${path}`, { experimentId })).status).toBe(404);
  expect(
    await api.call('POST', `/api/v1/lessons/${UNKNOWN_ID}/trials`, { experimentId, repetitions: 11 }),
  ).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid', field: 'repetitions', message: expect.stringContaining('1 to 10') } },
  });
});
