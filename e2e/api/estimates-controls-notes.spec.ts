import { controlEstimateSchema, startedControlSchema, startedSchema } from '#lib/api/experiments-schema.ts';
import { notesSchema } from '#lib/api/notes.ts';
import { batchSchema, outputHitsSchema } from '#lib/api/runs-schema.ts';
import { runEstimateSchema } from '#lib/estimates/estimate-run.ts';
import { deletedSchema, errorSchema } from '#lib/http/fields.ts';
import { noteSchema } from '#lib/notes/notes.ts';
import { expect, test } from './api-test.ts';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const CASES = ['Describe our refund desk', 'Explain the refund policy'].map((input) => ({ input }));

test('estimates a start, runs a control afterwards, and finds both by text search', async ({ api }) => {
  const id = await api.createExperiment({ name: 'Refund texts', maxIterations: 1 });
  const path = `/api/v1/experiments/${id}`;
  const estimate = await api.read(runEstimateSchema, 'POST', `${path}/estimate`, { cases: CASES, repetitions: 2 });
  expect(estimate).toMatchObject({ runs: 4, cases: 2, calls: { lowest: 8, highest: 20 }, unpricedModels: [] });
  const started = await api.read(startedSchema, 'POST', `${path}/runs`, { cases: CASES });
  for (const runId of started.runIds) await api.waitForRun(runId, ['finished']);

  const controls = `/api/v1/batches/${started.batchId}/controls`;
  const planned = await api.read(controlEstimateSchema, 'POST', `${controls}/estimate`, { control: 'equal_cost' });
  expect(planned).toMatchObject({ temperature: { value: 0.7, raised: true }, estimate: { runs: 2 } });
  const control = await api.read(startedControlSchema, 'POST', controls, { control: 'no_lessons' });
  expect(control).toMatchObject({ runs: 2, arms: [`${id}@1`, control.experimentId] });
  const batch = async () => (await api.read(batchSchema, 'GET', `/api/v1/batches/${control.batchId}`)).status;
  await expect.poll(batch, { timeout: 20_000 }).toBe('finished');

  const search = (query: string) => api.read(outputHitsSchema, 'GET', `/api/v1/search?${query}`);
  await expect.poll(async () => (await search('q=refu+polic')).items.length, { timeout: 20_000 }).toBe(2);
  const { items } = await search(`q=refund&experimentId=${control.experimentId}&limit=1`);
  expect(items).toMatchObject([{ experimentId: control.experimentId, experimentName: 'No lessons: Refund texts' }]);
  const [hit] = items;
  expect(hit?.snippet.marks.map(([from, to]) => hit.snippet.text.slice(from, to).toLowerCase())).toContain('refund');
});

test('creates, changes and deletes notes on a run', async ({ api }) => {
  const runId = await api.startRun(await api.createExperiment());
  const path = `/api/v1/runs/${runId}/notes`;
  const written = await api.call('POST', path, { text: 'Look **here**' });
  expect(written.status).toBe(201);
  const { id } = noteSchema.parse(written.body);
  const changed = await api.read(noteSchema, 'PATCH', `/api/v1/notes/${id}`, { text: 'Look there' });
  expect(await api.read(notesSchema, 'GET', path)).toEqual({ items: [changed], nextCursor: null });
  expect(await api.read(deletedSchema, 'DELETE', `/api/v1/notes/${id}`)).toEqual({ deleted: { notes: 1 } });
  expect((await api.call('DELETE', `/api/v1/notes/${id}`)).status).toBe(404);
});

test('rejects values out of range and unknown ids', async ({ api }) => {
  const refused = async (method: string, path: string, body?: unknown) => {
    const { status, body: answer } = await api.call(method, `/api/v1${path}`, body);
    return [status, errorSchema.parse(answer).error.field ?? null];
  };
  const id = await api.createExperiment();
  expect(await refused('POST', `/experiments/${UNKNOWN_ID}/estimate`, {})).toEqual([404, null]);
  expect(await refused('POST', `/experiments/${id}/estimate`, { repetitions: 21 })).toEqual([400, 'repetitions']);
  expect(await refused('POST', '/experiments/estimate', { experiment: { name: 'x' } })).toEqual([
    400,
    'experiment.mode',
  ]);
  expect(await refused('POST', `/batches/${UNKNOWN_ID}/controls`, { control: 'no_lessons' })).toEqual([404, null]);
  expect(await refused('POST', `/experiments/${id}/notes`, { text: ' ' })).toEqual([400, 'text']);
  expect(await refused('POST', `/runs/${UNKNOWN_ID}/notes`, { text: 'x' })).toEqual([404, null]);
  expect(await refused('GET', '/search')).toEqual([400, 'q']);
  expect(await refused('GET', '/search?q=a&experimentId=b')).toEqual([400, 'experimentId']);
});
