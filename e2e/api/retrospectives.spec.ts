import { retrospectivesSchema, runSchema } from '#lib/api/runs-schema.ts';
import { retrospectiveSchema } from '#lib/lessons/retrospectives/retrospectives.ts';
import { expect, test } from './api-test.ts';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

test('a retrospective of an ended run stores candidate lessons with the run; a second request waits for the first', async ({
  api,
}) => {
  const runId = await api.startRun(await api.createExperiment({ maxIterations: 1, qualityThreshold: 1 }));
  const ended = await api.waitForRun(runId, ['finished']);
  const asked = await api.call('POST', `/api/v1/runs/${runId}/retrospective`);
  expect(asked).toMatchObject({ status: 202, body: { number: 1 } });
  retrospectiveSchema.parse(asked.body);
  const all = async () => (await api.read(retrospectivesSchema, 'GET', `/api/v1/runs/${runId}/retrospectives`)).items;
  await expect.poll(async () => (await all())[0]?.status, { timeout: 20_000 }).toBe('done');
  const [made] = await all();
  expect(made?.lessons.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['skill_card', 'principle']));
  expect(await api.read(runSchema, 'GET', `/api/v1/runs/${runId}`)).toEqual(ended);
});

test('rejects unknown runs, runs that have not ended, and runs that write no lessons', async ({ api }) => {
  const silent = await api.startRun(await api.createExperiment({ maxIterations: 0, lessons: { write: 'off' } }));
  await api.waitForRun(silent, ['finished']);
  const waiting = await api.startRun(await api.createExperiment({ callbacks: { pause: 'always' } }));
  await api.waitForRun(waiting, ['waiting']);
  for (const runId of [silent, waiting])
    expect(await api.call('POST', `/api/v1/runs/${runId}/retrospective`)).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict' } },
    });
  expect((await api.call('POST', `/api/v1/runs/${UNKNOWN_ID}/retrospective`)).status).toBe(404);
  expect((await api.call('GET', `/api/v1/runs/${UNKNOWN_ID}/retrospectives`)).status).toBe(404);
});
