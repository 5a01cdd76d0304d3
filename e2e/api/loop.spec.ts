import { createdDatasetSchema, datasetSchema } from '#lib/api/datasets-schema.ts';
import { createdSchema, experimentSchema, experimentsSchema, startedSchema } from '#lib/api/experiments-schema.ts';
import { batchSchema, decidedSchema, runSchema, runsSchema, statusSchema } from '#lib/api/runs-schema.ts';
import { healthSchema } from '#lib/api/system.ts';
import { deletedSchema } from '#lib/http/fields.ts';
import { expect, test } from './api-test.ts';
import { SMALL } from './open-api.ts';

test('completes the loop from dataset to report through the API', async ({ api }) => {
  const cases = [
    { input: 'Explain tides.' },
    { input: 'Explain yeast.', reference: 'r', tags: ['a'], metadata: { k: [1] } },
  ];
  const dataset = await api.read(createdDatasetSchema, 'POST', '/api/v1/datasets', { name: 'Two', cases });
  expect(dataset.caseCount).toBe(2);
  const stored = await api.read(datasetSchema, 'GET', `/api/v1/datasets/${dataset.id}`);
  expect(stored.cases).toEqual([
    { input: 'Explain tides.', reference: null, tags: [], metadata: {} },
    { input: 'Explain yeast.', reference: 'r', tags: ['a'], metadata: { k: [1] } },
  ]);

  const experiment = await api.read(createdSchema, 'POST', '/api/v1/experiments', SMALL);
  expect(experiment.version).toBe(1);
  const started = await api.read(startedSchema, 'POST', `/api/v1/experiments/${experiment.id}/runs`, {
    datasetId: dataset.id,
  });
  expect(started.runIds).toHaveLength(2);
  for (const runId of started.runIds) await api.waitForRun(runId, ['finished']);

  const batch = await api.read(batchSchema, 'GET', `/api/v1/batches/${started.batchId}`);
  expect(batch).toMatchObject({
    status: 'finished',
    total: 2,
    counts: { finished: 2, running: 0 },
    report: { total: 2, ended: 2 },
  });
  expect(batch.report.solvedByIteration.length).toBeGreaterThan(0);

  const run = await api.read(runSchema, 'GET', `/api/v1/runs/${started.runIds[1]}`);
  expect(run).toMatchObject({
    experimentVersion: 1,
    case: { input: 'Explain yeast.', reference: 'r' },
    waitingFor: null,
  });
  expect(run.versions[0]?.evaluations[0]?.criteriaScores).toHaveProperty('clarity');
  expect(run.tokenUsage.total).toBe(run.tokenUsage.input + run.tokenUsage.output);
});

test('PATCH creates a new version, runs keep theirs, DELETE returns what was deleted', async ({ api }) => {
  const id = await api.createExperiment();
  const first = await api.startRun(id);
  await api.waitForRun(first, ['finished']);
  const changed = await api.read(createdSchema, 'PATCH', `/api/v1/experiments/${id}`, {
    maxIterations: 1,
    name: 'Renamed',
  });
  expect(changed.version).toBe(2);
  const experiment = await api.read(experimentSchema, 'GET', `/api/v1/experiments/${id}`);
  expect(experiment).toMatchObject({
    name: 'Renamed',
    latestVersion: 2,
    settings: { maxIterations: 1, mode: 'revise' },
  });
  expect((await api.read(runSchema, 'GET', `/api/v1/runs/${first}`)).experimentVersion).toBe(1);

  expect(await api.read(deletedSchema, 'DELETE', `/api/v1/experiments/${id}`)).toMatchObject({
    deleted: { experiments: 1, versions: 2, batches: 1, runs: 1 },
  });
  for (const path of [`/api/v1/experiments/${id}`, `/api/v1/runs/${first}`])
    expect((await api.call('GET', path)).status).toBe(404);
  expect((await api.call('DELETE', `/api/v1/experiments/${id}`)).status).toBe(404);
});

test('pages lists newest first without gaps or duplicates', async ({ api }) => {
  const ids: string[] = [];
  for (let at = 0; at < 5; at++) ids.unshift(await api.createExperiment({ name: `Paged ${at}` }));
  const seen: string[] = [];
  let cursor = '';
  do {
    const page = await api.read(experimentsSchema, 'GET', `/api/v1/experiments?limit=2&search=Paged%20${cursor}`);
    expect(page.items.length).toBeLessThanOrEqual(2);
    seen.push(...page.items.map((item) => item.id));
    cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
  } while (cursor !== '');
  expect(seen).toEqual(ids);

  const experimentId = ids[0] ?? '';
  const runs: string[] = [];
  for (let at = 0; at < 3; at++) runs.unshift(await api.startRun(experimentId));
  const page = await api.read(runsSchema, 'GET', `/api/v1/runs?experimentId=${experimentId}&limit=2`);
  const rest = await api.read(
    runsSchema,
    'GET',
    `/api/v1/runs?experimentId=${experimentId}&limit=2&cursor=${page.nextCursor}`,
  );
  expect([...page.items, ...rest.items].map((run) => run.id)).toEqual(runs);
  expect(rest.nextCursor).toBeNull();
});

test('an Idempotency-Key starts a batch once', async ({ api }) => {
  const id = await api.createExperiment();
  const path = `/api/v1/experiments/${id}/runs`;
  const headers = { 'idempotency-key': `key of ${id}` };
  const together = await Promise.all(
    [1, 2, 3].map(() => api.read(startedSchema, 'POST', path, { input: 'Explain rain.' }, { headers })),
  );
  const again = await api.read(startedSchema, 'POST', path, { input: 'Explain rain.' }, { headers });
  for (const started of together) expect(started).toEqual(again);
  expect((await api.read(runsSchema, 'GET', `/api/v1/runs?experimentId=${id}`)).items).toHaveLength(1);

  const other = await api.call('POST', path, { input: 'Explain snow.' }, { headers });
  expect(other).toMatchObject({ status: 409, body: { error: { code: 'conflict', field: 'Idempotency-Key' } } });
  expect(
    (await api.call('POST', path, { input: 'x' }, { headers: { 'idempotency-key': 'x'.repeat(201) } })).status,
  ).toBe(400);
});

test('a waiting run accepts one decision; the second request receives the first decision', async ({ api }) => {
  const id = await api.createExperiment({ callbacks: { pause: 'before_finish' } });
  const runId = await api.startRun(id);
  const { waitingFor } = await api.waitForRun(runId, ['waiting']);
  const path = `/api/v1/runs/${runId}/decisions`;
  expect(
    (await api.call('POST', path, { decision: 'accept', pauseId: '00000000-0000-4000-8000-000000000000' })).status,
  ).toBe(409);
  const verdict = { decision: 'accept', pauseId: waitingFor?.pauseId, reason: 'good\u0000enough\ud800' };
  const { decision } = await api.read(decidedSchema, 'POST', path, verdict);
  expect(decision).toMatchObject({ decision: 'accept', by: 'person', reason: 'good\uFFFDenough\uFFFD' });
  const second = await api.call('POST', path, { decision: 'stop', pauseId: waitingFor?.pauseId });
  expect(second.status).toBe(409);
  expect(second.text).toContain('accept');
  expect(await api.waitForRun(runId, ['finished'])).toMatchObject({
    convergenceReason: 'user_accepted',
    success: true,
  });
});

test('stops and resumes a run', async ({ api }) => {
  const id = await api.createExperiment({ callbacks: { pause: 'always' } });
  const runId = await api.startRun(id);
  await api.waitForRun(runId, ['waiting']);
  await api.read(statusSchema, 'POST', `/api/v1/runs/${runId}/stop`);
  expect(await api.waitForRun(runId, ['stopped', 'finished'])).toMatchObject({ convergenceReason: 'user_stopped' });
  await api.read(statusSchema, 'POST', `/api/v1/runs/${runId}/resume`);
  expect((await api.waitForRun(runId, ['waiting', 'finished'])).convergenceReason).toBeNull();
  expect(await api.read(deletedSchema, 'DELETE', `/api/v1/runs/${runId}`)).toMatchObject({ deleted: { runs: 1 } });
});

test('serves health and the OpenAPI document', async ({ api }) => {
  expect(await api.read(healthSchema, 'GET', '/api/v1/health')).toMatchObject({
    status: 'ok',
    database: 'ok',
    worker: 'working',
    reasons: [],
  });
  const { status, body } = await api.call('GET', '/api/v1/openapi.json');
  expect(status).toBe(200);
  expect(body).toMatchObject({ openapi: '3.1.0', servers: [{ url: '/api/v1' }] });
});
