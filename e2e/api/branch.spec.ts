import { branchedSchema } from '#lib/api/runs-schema.ts';
import { expect, test } from './api-test.ts';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const SETTINGS = { maxIterations: 1, qualityThreshold: 1, convergence: null };

test('branches a run from a version or from another text', async ({ api }) => {
  const runId = await api.startRun(await api.createExperiment(SETTINGS));
  const source = await api.waitForRun(runId, ['finished']);
  for (const output of [undefined, 'A bicycle stays upright because it steers under its own weight.']) {
    const started = await api.read(branchedSchema, 'POST', `/api/v1/runs/${runId}/branch`, { version: 0, output });
    const branch = await api.waitForRun(started.runId, ['finished']);
    expect(branch).toMatchObject({
      batchId: started.batchId,
      branchedFrom: { runId, number: source.number, version: 0 },
      convergenceReason: 'max_iterations',
    });
    expect(branch.versions[0]).toMatchObject({ origin: 'branched', output: output ?? source.versions[0]?.output });
  }
});

test('rejects an unknown version or run, an empty output, and retry runs', async ({ api }) => {
  const runId = await api.startRun(await api.createExperiment(SETTINGS));
  await api.waitForRun(runId, ['finished']);
  const post = (id: string, body: unknown) => api.call('POST', `/api/v1/runs/${id}/branch`, body);
  expect(await post(runId, { version: 7 })).toMatchObject({ status: 404, body: { error: { field: 'version' } } });
  expect(await post(runId, {})).toMatchObject({ status: 400, body: { error: { field: 'version' } } });
  expect(await post(runId, { version: 0, output: '' })).toMatchObject({
    status: 400,
    body: { error: { field: 'output' } },
  });
  expect((await post(UNKNOWN_ID, { version: 0 })).status).toBe(404);
  const retried = await api.startRun(await api.createExperiment({ mode: 'retry', maxAttempts: 1 }));
  await api.waitForRun(retried, ['finished']);
  expect(await post(retried, { version: 0 })).toMatchObject({
    status: 409,
    body: { error: { code: 'conflict', message: expect.stringContaining('starts from scratch') } },
  });
});
