import {
  caseChangesSchema,
  casePageSchema,
  createdDatasetSchema,
  datasetSchema,
  datasetsSchema,
  datasetVersionsSchema,
  importPreviewSchema,
} from '#lib/api/datasets-schema.ts';
import { experimentSchema } from '#lib/api/experiments-schema.ts';
import { changedDatasetSchema, dividedDatasetSchema, promptfooImportSchema } from '#lib/datasets/schema.ts';
import { expect, test } from './api-test.ts';

test('adds to, edits, splits, reads at each version, and exports a dataset', async ({ api }) => {
  const cases = [
    { input: 'a', tags: ['x'] },
    { input: 'b', reference: '=1' },
  ];
  const { id } = await api.read(createdDatasetSchema, 'POST', '/api/v1/datasets', { name: 'Versions', cases });
  const at = (rest: string) => `/api/v1/datasets/${id}${rest}`;
  const looked = await api.read(
    importPreviewSchema,
    'POST',
    `/api/v1/datasets/preview?datasetId=${id}&sameCases=leave_out`,
    '{"input": "a"}\n{"input" "c"}',
    { type: 'application/jsonl' },
  );
  expect(looked).toMatchObject({ ready: 0, same: 1, wrong: 1, faults: [{ line: 2, column: 10 }], caseCount: 2 });
  const added = await api
    .read(
      createdDatasetSchema,
      'POST',
      at('/cases?sameCases=leave_out&heldOutShare=1&message=More'),
      'question,input\nc,a\nd,c',
      { type: 'text/csv' },
    )
    .catch(String);
  expect(added).toMatch(/line 2.*question/);
  const stored = await api.read(
    createdDatasetSchema,
    'POST',
    at('/cases?sameCases=leave_out&heldOutShare=1&message=More'),
    'input\na\nc',
    { type: 'text/csv' },
  );
  expect(stored).toEqual({ id, version: 2, caseCount: 3, added: 1, leftOut: { wrong: 0, same: 1 } });
  const change = { version: 2, change: [{ number: 1, input: 'A' }], remove: [2] };
  expect(await api.read(changedDatasetSchema, 'PATCH', at(''), change)).toMatchObject({ version: 3, caseCount: 2 });
  expect(await api.call('PATCH', at(''), change)).toMatchObject({ status: 409, body: { error: { field: 'version' } } });
  expect(await api.read(dividedDatasetSchema, 'POST', at('/splits'), { heldOutShare: 0 })).toEqual({
    version: 4,
    train: 1,
    validation: 0,
    heldOut: 0,
  });

  expect((await api.read(casePageSchema, 'GET', at('/cases?split=held_out'))).items).toMatchObject([
    { number: 3, input: 'c', split: 'held_out', since: 2 },
  ]);
  expect((await api.read(casePageSchema, 'GET', at('/cases?version=1&search=B'))).items).toMatchObject([{ number: 2 }]);
  expect((await api.read(datasetSchema, 'GET', at('?version=1'))).cases.map(({ input }) => input)).toEqual(['a', 'b']);
  expect((await api.call('GET', at('?version=5'))).status).toBe(404);
  const history = await api.read(datasetVersionsSchema, 'GET', at('/versions'));
  expect(history.items.map(({ version, message }) => [version, message])).toEqual([
    [4, expect.stringContaining('Split 1')],
    [3, null],
    [2, 'More'],
    [1, null],
  ]);
  expect((await api.read(caseChangesSchema, 'GET', at('/versions/3'))).items).toMatchObject([
    { number: 1, before: { input: 'a' }, after: { input: 'A' } },
    { number: 2, before: { input: 'b' }, after: null },
  ]);
  expect((await api.call('GET', at('/export?format=csv&version=1'))).text).toBe(
    "input,reference,tags\r\na,,x\r\nb,'=1,\r\n",
  );
  expect((await api.read(datasetsSchema, 'GET', '/api/v1/datasets?search=Versions')).items).toHaveLength(1);
});

test('accepts uploads of 12 MB on every route that takes cases', async ({ api }) => {
  const { id } = await api.read(createdDatasetSchema, 'POST', '/api/v1/datasets?name=Large', 'input\na\n', {
    type: 'text/csv',
  });
  const list = Array.from({ length: 10_000 }, (_, at) => ({ input: `${at} ${'x'.repeat(1_180)}` }));
  const body = JSON.stringify(list);
  const looked = await api.read(importPreviewSchema, 'POST', '/api/v1/datasets/preview', body, {
    type: 'application/json',
  });
  expect(looked.ready).toBe(10_000);
  const lines = list.map((one) => JSON.stringify(one)).join('\n');
  const added = await api.read(createdDatasetSchema, 'POST', `/api/v1/datasets/${id}/cases`, lines, {
    type: 'application/jsonl',
  });
  expect(added).toMatchObject({ version: 2, caseCount: 10_001 });
});

test('converts a promptfoo configuration to a dataset and an experiment', async ({ api }) => {
  const config = 'prompts: ["Say {{word}}"]\ntests: [{vars: {word: hi}, assert: [{type: equals, value: hi}]}]';
  const taken = await api.read(promptfooImportSchema, 'POST', '/api/v1/datasets/promptfoo', {
    config,
    experiment: true,
  });
  expect(taken).toMatchObject({
    caseCount: 1,
    prompt: 'Say {{input}}',
    criteria: [{ evaluator: 'reference' }],
    notTaken: [],
  });
  const { settings } = await api.read(experimentSchema, 'GET', `/api/v1/experiments/${taken.experimentId}`);
  expect(settings.prompts.generate).toBe('Say {{input}}');
});
