import { changedPromptSchema, promptsSchema, savedPromptSchema } from '#lib/api/prompts.ts';
import { deletedSchema } from '#lib/http/fields.ts';
import { movedLabelSchema, promptDetailSchema, promptTextSchema } from '#lib/prompts/schema.ts';
import { expect, test } from './api-test.ts';

const NAME = 'support/triage.v1';
const AT = `/api/v1/prompts/${encodeURIComponent(NAME)}`;
const FIRST = { name: NAME, text: 'Sort {{input}} of {{metadata.team}}' };

test('creates, versions, labels, fetches by label, rolls back and deletes a prompt', async ({ api }) => {
  const created = await api.read(savedPromptSchema, 'POST', '/api/v1/prompts', FIRST);
  expect(created).toEqual({ name: NAME, version: 1 });
  const next = { text: 'Sort the mail {{input}}', message: 'Says what it is', parent: 1, latest: 1 };
  expect(await api.read(savedPromptSchema, 'POST', `${AT}/versions`, next)).toEqual({ name: NAME, version: 2 });

  const put = (version: number) => api.read(movedLabelSchema, 'PUT', `${AT}/labels/production`, { version });
  expect(await put(1)).toMatchObject({ version: 1, previous: null, moved: true, proof: null });
  expect(await put(2)).toMatchObject({ version: 2, previous: 1, moved: true, proof: { verdict: 'unproven' } });
  expect(await put(2)).toMatchObject({ moved: false });

  expect(await api.read(promptTextSchema, 'GET', `${AT}?label=production`)).toMatchObject({
    name: NAME,
    version: 2,
    labels: ['production'],
    text: next.text,
    variables: ['input'],
    message: next.message,
    parent: 1,
  });
  expect(await api.read(promptTextSchema, 'GET', `${AT}?version=1`)).toMatchObject({
    version: 1,
    labels: [],
    variables: ['input', 'metadata.team'],
  });
  expect(await api.read(promptTextSchema, 'GET', AT)).toMatchObject({ version: 2 });
  expect(await put(1)).toMatchObject({ version: 1, previous: 2 });
  expect(await api.read(promptTextSchema, 'GET', `${AT}?label=production`)).toMatchObject({ version: 1 });

  const listed = await api.read(promptsSchema, 'GET', '/api/v1/prompts?search=triage&limit=1');
  expect(listed.items).toMatchObject([{ name: NAME, latestVersion: 2, labels: [{ label: 'production', version: 1 }] }]);
  const changed = await api.read(changedPromptSchema, 'PATCH', AT, { qualityThreshold: 0.5 });
  expect(changed.setup).toMatchObject({ qualityThreshold: 0.5, models: [{ provider: 'practice' }] });
  await api.read(movedLabelSchema, 'DELETE', `${AT}/labels/production`);
  const detail = await api.read(promptDetailSchema, 'GET', `${AT}/versions`);
  expect(detail.moves.map(({ previous, version }) => [previous, version])).toEqual([
    [1, null],
    [2, 1],
    [1, 2],
    [null, 1],
  ]);
  expect(await api.read(deletedSchema, 'DELETE', AT)).toMatchObject({
    deleted: { prompts: 1, versions: 2, moves: 4 },
  });
  expect(await api.call('GET', AT)).toMatchObject({ status: 404 });
});

test('rejects invalid input with its field and lists what exists for unknown names', async ({ api }) => {
  const at = '/api/v1/prompts/kept';
  await api.read(savedPromptSchema, 'POST', '/api/v1/prompts', { name: 'kept', text: 'Sort {{input}}' });
  await api.read(movedLabelSchema, 'PUT', `${at}/labels/staging`, { version: 1 });
  const version = { text: 'Other {{input}}', message: 'Other' };
  const cases: [string, string, unknown, number, string | undefined, RegExp][] = [
    ['POST', '/api/v1/prompts', { name: 'kept', text: 'x' }, 409, 'name', /already/],
    ['POST', '/api/v1/prompts', { name: 'a b', text: 'x' }, 400, 'name', /got "a b"/],
    ['POST', '/api/v1/prompts', { name: 'new', text: 'x' }, 400, 'name', /address of the form/],
    ['POST', '/api/v1/prompts', { name: 'other', text: '' }, 400, 'text', /empty/],
    ['POST', '/api/v1/prompts', { name: 'other', text: 'x', colour: 1 }, 400, 'colour', /not a known/],
    ['GET', '/api/v1/prompts?limit=0', undefined, 400, 'limit', /1 to 200/],
    ['GET', '/api/v1/prompts?cursor=x', undefined, 400, 'cursor', /nextCursor/],
    ['GET', '/api/v1/prompts/nothing', undefined, 404, undefined, /no prompt named "nothing"/],
    ['GET', '/api/v1/prompts/%00', undefined, 404, undefined, /no prompt/],
    ['GET', `${at}?label=production`, undefined, 404, 'label', /no label production\. It has staging \(version 1\)/],
    ['GET', `${at}?version=7`, undefined, 404, 'version', /no version 7: it has only version 1/],
    ['GET', `${at}?version=x`, undefined, 400, 'version', /number of a version/],
    ['GET', `${at}?version=1&label=staging`, undefined, 400, 'version', /not both/],
    ['PATCH', at, { models: [] }, 400, 'models', /at least one model/],
    ['PATCH', '/api/v1/prompts/nothing', {}, 404, undefined, /no prompt/],
    ['POST', `${at}/versions`, { ...version, text: 'Sort {{input}}' }, 400, 'text', /same as that of version 1/],
    ['POST', `${at}/versions`, { ...version, message: '' }, 400, 'message', /what changed/],
    ['POST', `${at}/versions`, { ...version, parent: 4 }, 400, 'parent', /no version 4/],
    ['POST', '/api/v1/prompts/nothing/versions', version, 404, undefined, /no prompt/],
    ['PUT', `${at}/labels/latest`, { version: 1 }, 400, 'label', /newest/],
    ['PUT', `${at}/labels/staging`, { version: 2 }, 400, 'version', /no version 2/],
    ['PUT', `${at}/labels/staging`, { version: 1, from: null }, 409, undefined, /moved the label/],
    ['DELETE', `${at}/labels/production`, undefined, 404, undefined, /is not set on any version/],
    ['DELETE', '/api/v1/prompts/nothing', undefined, 404, undefined, /no prompt/],
  ];
  for (const [method, address, body, status, field, message] of cases) {
    const answer = await api.call(method, address, body);
    expect({ method, address, status: answer.status, body: answer.body }).toMatchObject({
      method,
      address,
      status,
      body: { error: { ...(field === undefined ? {} : { field }), message: expect.stringMatching(message) } },
    });
  }
  expect((await api.read(promptDetailSchema, 'GET', `${at}/versions`)).moves).toHaveLength(1);
});
