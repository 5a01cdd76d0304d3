import {
  editedLessonSchema,
  givenReviewSchema,
  importedLessonsSchema,
  lessonsSchema,
  storedCommentSchema,
} from '#lib/api/lessons-schema.ts';
import { lessonDetailSchema } from '#lib/core/lesson-library.ts';
import { deletedSchema } from '#lib/http/fields.ts';
import { expect, test } from './api-test.ts';
import type { Api } from './open-api.ts';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

async function waitForLesson(api: Api, id: string, isThere: (status: string) => boolean) {
  await expect(async () => {
    const lesson = await api.read(lessonDetailSchema, 'GET', `/api/v1/lessons/${id}`);
    expect(isThere(lesson.status)).toBe(true);
  }).toPass({ timeout: 20_000 });
}

test('a lesson is created, processed by the worker, approved by a person, and found by search', async ({ api }) => {
  const added = await api.read(lessonDetailSchema, 'POST', '/api/v1/lessons', {
    kind: 'lesson',
    text: 'Ask jane.doe@example.com which zeppelin is meant.',
    scope: { taskType: 'writing' },
  });
  expect(added).toMatchObject({
    status: 'candidate',
    checks: [{ kind: 'redact', outcome: 'redacted' }, { kind: 'screen' }],
  });
  expect(JSON.stringify(added)).not.toContain('jane.doe');
  await waitForLesson(api, added.id, (status) => status === 'quarantined');

  const path = `/api/v1/lessons/${added.id}`;
  await api.read(editedLessonSchema, 'PATCH', path, { editCount: 0, text: 'Ask which zeppelin is meant.' });
  await api.read(storedCommentSchema, 'POST', `${path}/comments`, { text: 'Shorter now' });
  const promote = { verdict: 'promote', editCount: 1 };
  expect(await api.call('POST', `${path}/reviews`, { ...promote, editCount: 0 })).toMatchObject({
    status: 409,
    body: { error: { code: 'conflict', message: expect.stringContaining('Review it again before you decide.') } },
  });
  expect(
    await api.read(givenReviewSchema, 'POST', `${path}/reviews`, { ...promote, seen: 'quarantined' }),
  ).toMatchObject({ status: 'promoted' });
  expect(await api.call('POST', `${path}/reviews`, promote)).toMatchObject({
    status: 409,
    body: { error: { code: 'conflict', message: expect.stringContaining('it is promoted, by you at') } },
  });
  const found = await api.read(
    lessonsSchema,
    'GET',
    '/api/v1/lessons?query=zeppel&status=promoted&scope=taskType:writing&kind=lesson',
  );
  expect(found.items.map(({ id }) => id)).toEqual([added.id]);
  expect(await api.read(deletedSchema, 'DELETE', path)).toMatchObject({
    deleted: { lessons: 1, edits: 1, comments: 1 },
  });
  expect((await api.call('GET', path)).status).toBe(404);
});

test('exports and imports the library as JSON lines and as an archive of files', async ({ api }) => {
  const lesson = await api.read(lessonDetailSchema, 'POST', '/api/v1/lessons', {
    kind: 'tool_policy',
    fields: { tool: 'search', constraint: 'Ask once, then read.' },
  });
  const lines = await api.call('GET', '/api/v1/lessons/export?format=jsonl');
  expect(lines).toMatchObject({ status: 200, headers: { 'content-type': 'application/x-ndjson' } });
  expect(lines.headers['content-disposition']).toBe('attachment; filename="lessons.jsonl"');
  const files = await api.call('GET', '/api/v1/lessons/export?format=markdown');
  expect(files.headers['content-type']).toBe('application/x-tar');
  expect(files.text).toContain('Ask once, then read.');
  await api.read(deletedSchema, 'DELETE', `/api/v1/lessons/${lesson.id}`);

  const count = lines.text.trim().split('\n').length;
  const take = (type: string, body: string) =>
    api.read(importedLessonsSchema, 'POST', '/api/v1/lessons/import', body, { type });
  expect(await take('application/jsonl', lines.text)).toEqual({ stored: 1, present: count - 1 });
  expect(await take('application/x-tar', files.text)).toEqual({ stored: 0, present: count });
  const single = '---\nkind: principle\n---\n\nSay it once.\n';
  expect(await take('text/markdown', single)).toEqual({ stored: 1, present: 0 });
});

test('rejects invalid input with its field', async ({ api }) => {
  const refusals: [string, string, unknown, number, string | undefined][] = [
    ['GET', '/lessons?scope=code', undefined, 400, 'scope'],
    ['GET', '/lessons?kind=poem', undefined, 400, 'kind'],
    ['GET', '/lessons?only=mine', undefined, 400, 'only'],
    ['GET', '/lessons/export', undefined, 400, 'format'],
    ['POST', '/lessons', { kind: 'lesson', text: 'x', status: 'promoted' }, 400, 'status'],
    ['POST', `/lessons/${UNKNOWN_ID}/reviews`, { verdict: 'promote', editCount: 0 }, 404, undefined],
    ['POST', `/lessons/${UNKNOWN_ID}/screen`, undefined, 404, undefined],
    ['PATCH', `/lessons/${UNKNOWN_ID}`, { editCount: 0, text: 'x' }, 404, undefined],
    ['DELETE', `/lessons/${UNKNOWN_ID}`, undefined, 404, undefined],
  ];
  for (const [method, path, body, status, field] of refusals) {
    const answer = await api.call(method, `/api/v1${path}`, body);
    expect({ path, status: answer.status, field: Object(answer.body).error?.field }).toEqual({ path, status, field });
  }
  const line = await api.call('POST', '/api/v1/lessons/import', '{"kind": "lesson", "text": "x"}\n{', {
    type: 'application/jsonl',
  });
  expect(line).toMatchObject({
    status: 400,
    body: { error: { field: 'line 2', message: expect.stringContaining('Nothing was stored') } },
  });
  expect(
    (await api.call('POST', '/api/v1/lessons/import', 'no archive'.repeat(100), { type: 'application/x-tar' })).status,
  ).toBe(400);
  expect((await api.call('POST', '/api/v1/lessons/import', '<x/>', { type: 'text/xml' })).status).toBe(415);
});
