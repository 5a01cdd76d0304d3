import { triedRecallSchema } from '#lib/lessons/schema.ts';
import { expect, test } from './api-test.ts';

const INPUT = 'Say how the harbour cranes of Trieste are kept from tipping over in a storm';

test('previews the lessons that a run would recall for an input', async ({ api }) => {
  const path = '/api/v1/lessons/recall';
  expect(await api.read(triedRecallSchema, 'POST', path, { input: INPUT })).toEqual({
    lessons: [],
    tokens: 0,
    promptPart: '',
  });
  expect(await api.call('POST', path, { input: INPUT, topK: 0 })).toMatchObject({
    status: 400,
    body: { error: { field: 'topK', message: expect.stringContaining('from 1 to 20') } },
  });
  expect(await api.call('POST', path, {})).toMatchObject({ status: 400, body: { error: { field: 'input' } } });
});
