import { expect, test } from './api-test.ts';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

test('rejects an ablation of a run without tuning and of an unknown run', async ({ api }) => {
  const runId = await api.startRun(await api.createExperiment({ maxIterations: 0 }));
  await api.waitForRun(runId, ['finished']);
  const path = `/api/v1/runs/${runId}/ablation`;
  expect(await api.call('GET', path)).toMatchObject({
    status: 200,
    body: { plan: null, problem: 'Only the prompts of tuning runs can be measured.', report: null },
  });
  expect(await api.call('POST', path, { maxTries: 100 })).toMatchObject({
    status: 409,
    body: { error: { code: 'conflict', message: 'Only the prompts of tuning runs can be measured.' } },
  });
  expect((await api.call('POST', `${path}/stop`)).status).toBe(409);
  expect(await api.call('POST', path, {})).toMatchObject({ status: 400, body: { error: { field: 'maxTries' } } });
  expect((await api.call('GET', `/api/v1/runs/${UNKNOWN_ID}/ablation`)).status).toBe(404);
  expect((await api.call('POST', `/api/v1/runs/${UNKNOWN_ID}/ablation`, { maxTries: 100 })).status).toBe(404);
  expect((await api.call('POST', `/api/v1/runs/${UNKNOWN_ID}/ablation/stop`)).status).toBe(404);
});
