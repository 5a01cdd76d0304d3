import { rescoresSchema, runSchema } from '#lib/api/runs-schema.ts';
import { rescoreReportSchema } from '#lib/statistics/rescore-report.ts';
import { expect, test } from './api-test.ts';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

test('re-scores a version without changing its run and reports the spread with n', async ({ api }) => {
  const runId = await api.startRun(await api.createExperiment({ maxIterations: 1 }));
  const ended = await api.waitForRun(runId, ['finished']);
  const path = `/api/v1/runs/${runId}/versions/1/rescore`;
  const asked = await api.call('POST', path, { times: 3 });
  expect(asked).toMatchObject({ status: 202, body: { version: 1 } });
  rescoreReportSchema.parse(asked.body);
  const reports = async () => (await api.read(rescoresSchema, 'GET', `/api/v1/runs/${runId}/rescores`)).items;
  await expect.poll(async () => (await reports())[0]?.waiting, { timeout: 20_000 }).toBe(0);
  expect(await reports()).toMatchObject([
    {
      version: 1,
      asked: 3,
      scored: 3,
      spreads: expect.arrayContaining([expect.objectContaining({ criterion: null, n: 3 })]),
    },
  ]);
  expect(await api.read(runSchema, 'GET', `/api/v1/runs/${runId}`)).toEqual(ended);
});

test('rejects a count out of range and an unknown version or run', async ({ api }) => {
  const runId = await api.startRun(await api.createExperiment({ maxIterations: 0 }));
  await api.waitForRun(runId, ['finished']);
  const path = (version: string) => `/api/v1/runs/${runId}/versions/${version}/rescore`;
  for (const times of [0, 21, 1.5, '3'])
    expect(await api.call('POST', path('0'), { times })).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid', field: 'times', message: expect.stringContaining('from 1 to 20') } },
    });
  expect(await api.call('POST', path('0'), {})).toMatchObject({ status: 400 });
  expect((await api.call('POST', path('9'), { times: 1 })).status).toBe(404);
  expect((await api.call('POST', `/api/v1/runs/${UNKNOWN_ID}/versions/0/rescore`, { times: 1 })).status).toBe(404);
  expect((await api.call('GET', `/api/v1/runs/${UNKNOWN_ID}/rescores`)).status).toBe(404);
});
