import { batchSchema } from '#lib/api/runs-schema.ts';
import { runImportSchema } from '#lib/exchange/schema.ts';
import { expect, test } from './api-test.ts';

const JSONL = { type: 'application/jsonl' };

/** A case that is solved on the second attempt. */
function lines(run: string, output = 'Oslo'): string {
  const attempt = { run, case: { id: 'a', input: 'Capital of Italy?', reference: 'Rome' } };
  return [
    { ...attempt, attempt: 1, output, solved: false, lesson: 'Look at the map first.' },
    { ...attempt, attempt: 2, output: 'Rome', solved: true },
  ]
    .map((line) => JSON.stringify(line))
    .join('\n');
}

test('past runs round-trip through import, export and import', async ({ api }) => {
  const imported = await api.read(runImportSchema, 'POST', '/api/v1/runs/import', lines('before'), JSONL);
  const batch = await api.read(batchSchema, 'GET', `/api/v1/batches/${imported.batchId}`);
  expect(batch.report.solvedByIteration).toEqual([0, 1]);
  const exported = (id: string | null) => api.call('GET', `/api/v1/export/runs?experimentId=${id}`);
  const first = await exported(imported.experimentId);
  expect(first.headers['content-disposition']).toBe('attachment; filename="before-runs.jsonl"');
  const copy = await api.read(runImportSchema, 'POST', '/api/v1/runs/import', first.text, JSONL);
  expect(copy.experimentId).not.toBe(imported.experimentId);
  // Lessons are excluded because redaction or merging may have changed them before the second export.
  expect((await exported(copy.experimentId)).text.split('\n').length).toBe(first.text.split('\n').length);
  const again = await api.call('POST', '/api/v1/runs/import', first.text, JSONL);
  expect(again).toMatchObject({ status: 201, body: { repeated: true, experimentId: copy.experimentId } });

  const table = await api.call('GET', `/api/v1/export/runs?experimentId=${copy.experimentId}&format=versions`);
  expect([table.headers['content-type'], table.text.trimEnd().split('\r\n').length]).toEqual([
    'text/csv; charset=utf-8; header=present',
    3,
  ]);
  const report = await api.call('GET', `/api/v1/experiments/${copy.experimentId}/report`);
  expect(report.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8' });
  expect(report.text).toContain('Solved: 1 of 1 run');
});

test('accepts an upload larger than the proxy limit', async ({ api }) => {
  const many = Array.from({ length: 13 }, (_, index) => lines(`large ${index}`, 'x'.repeat(900_000))).join('\n');
  const checked = await api.call('POST', '/api/v1/runs/import?dryRun=true', many, JSONL);
  expect(checked).toMatchObject({ status: 200, body: { runs: 13, attempts: 26, experimentId: null, problems: [] } });
});

test('reports errors by line and rejects other content types', async ({ api }) => {
  const bad = await api.call('POST', '/api/v1/runs/import', `${lines('bad')}\n{"run": 1}`, JSONL);
  expect(bad).toMatchObject({ status: 400, body: { error: { code: 'invalid', field: 'line 3' } } });
  expect((await api.call('POST', '/api/v1/runs/import', '{}', { type: 'text/plain' })).status).toBe(415);
  const unknown = await api.call('POST', '/api/v1/runs/import?solvedFrom=2', lines('x'), JSONL);
  expect(unknown).toMatchObject({ status: 400, body: { error: { field: 'solvedFrom' } } });
});
