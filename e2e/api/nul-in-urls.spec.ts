import { z } from 'zod';
import { createdDatasetSchema } from '#lib/api/datasets-schema.ts';
import { startedSchema } from '#lib/api/experiments-schema.ts';
import { savedPromptSchema } from '#lib/api/prompts.ts';
import { ENTRIES } from '#lib/auth/entries.test-support.ts';
import { lessonDetailSchema } from '#lib/core/lesson-library.ts';
import { expect, test } from './api-test.ts';
import type { Api } from './open-api.ts';

/** Query parameters of each page. */
const PAGE_FIELDS: Record<string, readonly string[]> = {
  '/': [],
  '/account': [],
  '/compare': ['of', 'metric', 'case', 'show', 'cursor', 'add', 'q'],
  '/datasets': ['cursor', 'search'],
  '/datasets/new': [],
  '/datasets/{id}': ['search', 'tab', 'cursor', 'version', 'before', 'find', 'split'],
  '/experiments': ['q', 'mode', 'model', 'origin', 'models', 'state', 'sort', 'cursor'],
  '/experiments/new': ['prompt', 'version', 'from'],
  '/docs': [],
  '/docs/{section}/{page}': [],
  '/experiments/{id}': ['tab', 'batch', 'against', 'cursor', 'reason', 'status', 'version', 'dataset'],
  '/experiments/{id}/blind': [],
  '/experiments/{id}/edit': ['open'],
  '/inbox': ['kind', 'experiment', 'whose', 'cursor', 'item'],
  '/insights': ['of', 'experiment', 'days', 'models', 'against'],
  '/join/{token}': [],
  '/lessons': ['tab', 'q', 'kind', 'by', 'value', 'order', 'cursor'],
  '/lessons/import': [],
  '/lessons/new': [],
  '/lessons/recall': ['input', 'agent', 'taskType', 'topK'],
  '/lessons/review': ['part', 'lesson'],
  '/lessons/{id}': [],
  '/models': [],
  '/no-access': ['needs'],
  '/prompts': ['q', 'cursor'],
  '/prompts/new': [],
  '/prompts/{name}': ['against'],
  '/prompts/{name}/diff': ['from', 'to', 'layout'],
  '/runs': ['q', 'experiment', 'version', 'days', 'status', 'reason', 'reading', 'models', 'cursor'],
  '/runs/import': [],
  '/runs/{id}': ['case', 'v'],
  '/runs/{id}/calls': ['version', 'cursor', 'role', 'failed'],
  '/search': ['q', 'experiment', 'cursor'],
  '/settings': [],
  '/settings/audit': ['group', 'actor', 'cursor'],
  '/settings/backup': [],
  '/settings/team': [],
  '/sign-in': ['to'],
  '/targets': [],
};

const NULS = ['%00', 'a%00b'];
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
/** Extra query parameters that are required for a field to be read. */
const REQUIRED_QUERY: Record<string, string> = { '/lessons': 'by=agent&value=x', '/api/v1/audit': 'subject=run' };
/** Marker of a page that failed after its headers were sent: a numeric error digest. A 404 page has none. */
const BROKEN = /"digest":"\d+|\\"digest\\":\\"\d+|data-dgst="\d+/;

const openApiDocument = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ parameters: z.array(z.object({ name: z.string(), in: z.string() })).default([]) })),
  ),
});

/** Creates one record of each kind, keyed by the first path segment that names it. */
async function createResources(api: Api): Promise<Record<string, string>> {
  const experimentId = await api.createExperiment();
  const { batchId, runIds } = await api.read(startedSchema, 'POST', `/api/v1/experiments/${experimentId}/runs`, {
    input: 'Explain how a bicycle stays upright.',
  });
  const dataset = { name: 'Few', cases: [{ input: 'x' }] };
  const lesson = { kind: 'lesson', text: 'Name the source.', scope: { agent: 'x' } };
  // Unique name, because tests share one Hone.
  const prompt = { name: `sort-${experimentId}`, text: 'Sort {{input}}' };
  await api.read(savedPromptSchema, 'POST', '/api/v1/prompts', prompt);
  return {
    experiments: experimentId,
    batches: batchId,
    runs: runIds[0] ?? '',
    datasets: (await api.read(createdDatasetSchema, 'POST', '/api/v1/datasets', dataset)).id,
    lessons: (await api.read(lessonDetailSchema, 'POST', '/api/v1/lessons', lesson)).id,
    prompts: prompt.name,
    providers: 'practice',
  };
}

/** Returns the path with its parameters filled in and `nul` in place of the one named `where`. */
function filled(path: string, ids: Record<string, string>, where: string | null, nul = ''): string {
  const kind = path.replace('/api/v1', '').split('/')[1] ?? '';
  return path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    if (name === where) return nul;
    if (name === 'number' || name === 'version' || name === 'call') return '1';
    return ids[kind] ?? (name === 'name' ? 'x' : UNKNOWN_ID);
  });
}

function withQuery(address: string, path: string, field: string, nul: string): string {
  return `${address}?${[REQUIRED_QUERY[path] ?? [], `${field}=${nul}`].flat().join('&')}`;
}

/** Returns each URL variant with U+0000 in one position. */
function addressesOf(path: string, fields: readonly string[], ids: Record<string, string>): string[] {
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
  return NULS.flatMap((nul) => [
    ...parameters.map((parameter) => filled(path, ids, parameter, nul)),
    ...fields.map((field) => withQuery(filled(path, ids, null), path, field, nul)),
  ]);
}

test('the table lists every page', () => {
  const pages = ENTRIES.filter(({ kind }) => kind === 'page').flatMap(({ path }) => path ?? []);
  expect(Object.keys(PAGE_FIELDS).toSorted()).toEqual([...new Set(pages)].toSorted());
});

test('U+0000 in a path or query breaks no page', async ({ api, app }) => {
  const ids = await createResources(api);
  const broken: string[] = [];
  for (const [path, fields] of Object.entries(PAGE_FIELDS))
    for (const address of addressesOf(path, fields, ids)) {
      const { status, text } = await api.call('GET', address);
      if (status >= 500 || BROKEN.test(text)) broken.push(`${status} ${address}`);
    }
  expect(broken).toEqual([]);
  expect(app.output()).not.toMatch(/digest: '|invalid byte sequence/);
});

test('API routes reject or replace U+0000 in a path or query', async ({ api, app }) => {
  const ids = await createResources(api);
  const { paths } = openApiDocument.parse((await api.call('GET', '/api/v1/openapi.json')).body);
  const wrong: string[] = [];
  let tried = 0;
  for (const [name, operations] of Object.entries(paths))
    for (const [method, { parameters }] of Object.entries(operations)) {
      const path = `/api/v1${name}`;
      const fields = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
      for (const address of addressesOf(path, fields, ids)) {
        const body = method === 'get' || method === 'delete' ? undefined : {};
        const { status, text } = await api.call(method.toUpperCase(), address, body);
        tried += 1;
        if (status >= 500) wrong.push(`${status} ${method} ${address} ${text.slice(0, 200)}`);
      }
    }
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(300);
  expect(app.output()).not.toMatch(/invalid byte sequence/);
});

test.describe('rejects U+0000 in values that are compared exactly', () => {
  for (const [path, field] of [
    ['/api/v1/audit?actorId=%00', 'actorId'],
    ['/api/v1/audit?subject=run&subjectId=a%00b', 'subjectId'],
    ['/api/v1/experiments?model=%00', 'model'],
  ] as const)
    test(`GET ${path} names ${field}`, async ({ api }) => {
      expect(await api.call('GET', path)).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid', field, message: expect.stringContaining(`${field} must not contain`) } },
      });
    });
});
