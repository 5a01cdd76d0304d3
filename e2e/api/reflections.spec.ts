import { reflectedSchema, runSchema } from '#lib/api/runs-schema.ts';
import { expect, test } from './api-test.ts';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

test('stores a manual reflection without changing the ended run', async ({ api }) => {
  const runId = await api.startRun(await api.createExperiment({ maxIterations: 1 }));
  const ended = await api.waitForRun(runId, ['finished']);
  const path = `/api/v1/runs/${runId}/reflections`;
  const { version, critique } = await api.read(reflectedSchema, 'POST', path, { version: 0 });
  expect(version).toBe(0);
  expect(critique).toMatchObject({ trigger: 'manual', text: expect.stringMatching(/\S/) });
  const after = await api.read(runSchema, 'GET', `/api/v1/runs/${runId}`);
  expect(after.versions[0]?.critiques.at(-1)).toEqual(critique);
  const { status, convergenceReason, finishedAt, bestVersion, decisions } = ended;
  expect(after).toMatchObject({ status, convergenceReason, finishedAt, bestVersion, decisions });
});

test('rejects an unknown version, key or run', async ({ api }) => {
  const runId = await api.startRun(await api.createExperiment({ maxIterations: 0 }));
  await api.waitForRun(runId, ['finished']);
  const path = `/api/v1/runs/${runId}/reflections`;
  const refused = (status: number, code: string) => ({ status, body: { error: { code } } });
  expect(await api.call('POST', path, { version: 9 })).toMatchObject(refused(400, 'invalid'));
  expect(await api.call('POST', path, { version: 'last' })).toMatchObject(refused(400, 'invalid'));
  expect(await api.call('POST', path, { output: 'x' })).toMatchObject(refused(400, 'invalid'));
  expect(await api.call('POST', `/api/v1/runs/${UNKNOWN_ID}/reflections`, {})).toMatchObject(refused(404, 'not_found'));
});
