import { createdDatasetSchema, datasetSchema, datasetsSchema } from '#lib/api/datasets-schema.ts';
import { experimentSchema, experimentsSchema } from '#lib/api/experiments-schema.ts';
import { deletedSchema } from '#lib/http/fields.ts';
import { expect, test } from './api-test.ts';
import { SMALL } from './open-api.ts';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const criterion = SMALL.criteria[0];

test.describe('rejects invalid settings with field and range', () => {
  const cases: [string, Record<string, unknown>, string, RegExp][] = [
    ['a threshold of 1.5', { qualityThreshold: 1.5 }, 'qualityThreshold', /from 0 to 1, got 1\.5/],
    [
      'a criterion with threshold 1.5',
      { criteria: [{ ...criterion, threshold: 1.5 }] },
      'criteria.0.threshold',
      /from 0 to 1, got 1\.5/,
    ],
    ['a threshold in words', { qualityThreshold: '0.8' }, 'qualityThreshold', /from 0 to 1, got "0\.8"/],
    ['maxAttempts 0', { mode: 'retry', maxAttempts: 0 }, 'maxAttempts', /from 1 to 50, got 0/],
    ['maxAttempts 51', { mode: 'retry', maxAttempts: 51 }, 'maxAttempts', /from 1 to 50, got 51/],
    ['maxIterations -1', { maxIterations: -1 }, 'maxIterations', /from 0 to 50, got -1/],
    ['maxIterations 1.5', { maxIterations: 1.5 }, 'maxIterations', /whole number from 0 to 50, got 1\.5/],
    ['a negative weight', { criteria: [{ ...criterion, weight: -1 }] }, 'criteria.0.weight', /from 0 to 100, got -1/],
    ['weights that sum to 0', { criteria: [{ ...criterion, weight: 0 }] }, 'criteria', /sum is above 0/],
    ['no criteria', { criteria: [] }, 'criteria', /at least one criterion/],
    ['missing criteria', { criteria: undefined }, 'criteria', /at least one criterion/],
    ['an unknown key', { colour: 'red' }, 'colour', /not a known setting/],
    ['an unknown key inside', { revision: { colour: 'red' } }, 'revision.colour', /not a known setting/],
    [
      'an unknown key of a criterion',
      { criteria: [{ ...criterion, colour: 1 }] },
      'criteria.0.colour',
      /not a known setting/,
    ],
    [
      'a pattern that does not compile',
      { criteria: [{ name: 'p', evaluator: 'regex', config: { pattern: '(' } }] },
      'criteria.0.config.pattern',
      /./,
    ],
    [
      'an extraction that does not compile',
      { criteria: [{ name: 'r', evaluator: 'reference', config: { match: 'exact', extract: '[' } }] },
      'criteria.0.config.extract',
      /./,
    ],
    ['an unknown mode', { mode: 'evolve' }, 'mode', /revise, retry, tune, got "evolve"/],
    [
      'a provider that is not there',
      { generator: { provider: 'nobody', model: 'x' } },
      'generator.provider',
      /no provider named "nobody"/,
    ],
    ['a name that is empty', { name: ' ' }, 'name', /1 to 120/],
  ];
  for (const [name, settings, field, message] of cases) {
    test(name, async ({ api }) => {
      const before = await api.read(experimentsSchema, 'GET', '/api/v1/experiments?limit=200');
      const created = await api.call('POST', '/api/v1/experiments', { ...SMALL, ...settings });
      expect(created).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid', field, message: expect.stringMatching(message) } },
      });
      const after = await api.read(experimentsSchema, 'GET', '/api/v1/experiments?limit=200');
      expect(after.items).toHaveLength(before.items.length);
    });
  }

  test('PATCH rejects them too and changes nothing', async ({ api }) => {
    const id = await api.createExperiment();
    const patched = await api.call('PATCH', `/api/v1/experiments/${id}`, { qualityThreshold: 1.5 });
    expect(patched).toMatchObject({ status: 400, body: { error: { field: 'qualityThreshold' } } });
    expect((await api.read(experimentSchema, 'GET', `/api/v1/experiments/${id}`)).latestVersion).toBe(1);
  });
});

test.describe('request bodies', () => {
  const cases: [string, string, { type?: string; headers?: Record<string, string> }, number, string, RegExp][] = [
    ['invalid JSON, with its position', '{\n  "name": "x",\n}', {}, 400, 'invalid', /line 3, column 1/],
    ['an empty body', '', {}, 400, 'invalid', /empty/],
    ['JSON that is not an object', '[]', {}, 400, 'invalid', /./],
    ['null', 'null', {}, 400, 'invalid', /./],
    [
      'nesting that would overflow the stack',
      `{"name": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
      {},
      400,
      'invalid',
      /nested/,
    ],
    ['plain text', '{}', { type: 'text/plain' }, 415, 'unsupported_type', /application\/json/],
    ['a form', 'a=b', { type: 'application/x-www-form-urlencoded' }, 415, 'unsupported_type', /application\/json/],
    [
      'a type named like a member of every object',
      '{}',
      { type: 'constructor' },
      415,
      'unsupported_type',
      /constructor/,
    ],
    ['a compressed body', '{}', { headers: { 'content-encoding': 'gzip' } }, 415, 'unsupported_type', /gzip/],
  ];
  for (const path of ['/api/v1/experiments', '/api/v1/datasets', '/api/v1/providers']) {
    for (const [name, body, options, status, code, message] of cases) {
      test(`${path}: ${name}`, async ({ api }) => {
        const refused = await api.call('POST', path, body, options);
        expect(refused).toMatchObject({ status, body: { error: { code, message: expect.stringMatching(message) } } });
      });
    }
  }

  test('rejects JSON above 8 MB before Next truncates it', async ({ api }) => {
    const body = JSON.stringify({ ...SMALL, name: 'x'.repeat(12_000_000) });
    expect(await api.call('POST', '/api/v1/experiments', body)).toMatchObject({
      status: 413,
      body: { error: { code: 'too_large' } },
    });
  });
});

test.describe('datasets', () => {
  test('accepts JSONL and CSV and replaces U+0000 and lone surrogates', async ({ api }) => {
    const jsonl = '{"input": "a\\u0000b", "reference": "\\ud800"}\n{"input": "c"}\n';
    const first = await api.read(createdDatasetSchema, 'POST', '/api/v1/datasets?name=Lines%00', jsonl, {
      type: 'application/jsonl',
    });
    const stored = await api.read(datasetSchema, 'GET', `/api/v1/datasets/${first.id}`);
    expect(stored).toMatchObject({
      name: 'Lines\uFFFD',
      caseCount: 2,
      cases: [{ input: 'a\uFFFDb', reference: '\uFFFD' }, { input: 'c' }],
    });
    const csv = 'input,reference\n"two\nlines","say ""hi"""\nplain,\n';
    const second = await api.read(createdDatasetSchema, 'POST', '/api/v1/datasets?name=Table', csv, {
      type: 'text/csv; charset=utf-8',
    });
    expect((await api.read(datasetSchema, 'GET', `/api/v1/datasets/${second.id}`)).cases[0]).toMatchObject({
      input: 'two\nlines',
      reference: 'say "hi"',
    });
  });

  const refused: [string, string, string, string, RegExp][] = [
    ['a bad line of JSONL is named', '?name=x', 'application/jsonl', '{"input": "a"}\n{"input": }\n', /line 2/],
    [
      'an unknown key in a line is named',
      '?name=x',
      'application/x-ndjson',
      '{"input": "a"}\n{"input": "b", "colour": 1}',
      /line 2.*colour/,
    ],
    [
      'a line nested too deep is named',
      '?name=x',
      'application/jsonl',
      `{"input": "a", "metadata": ${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`,
      /line 1/,
    ],
    ['a name is needed', '', 'text/csv', 'input\na\n', /name/],
    ['no case', '?name=x', 'text/csv', 'input\n', /no case/i],
    ['an unknown query parameter', '?name=x&title=y', 'text/csv', 'input\na\n', /title/],
  ];
  for (const [name, query, type, body, message] of refused) {
    test(`${name}, and nothing is stored`, async ({ api }) => {
      const before = await api.read(datasetsSchema, 'GET', '/api/v1/datasets?limit=200');
      const answer = await api.call('POST', `/api/v1/datasets${query}`, body, { type });
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid', message: expect.stringMatching(message) } },
      });
      expect((await api.read(datasetsSchema, 'GET', '/api/v1/datasets?limit=200')).items).toHaveLength(
        before.items.length,
      );
    });
  }

  test('accepts an upload of 12 MB', async ({ api }) => {
    const line = JSON.stringify({ input: 'x'.repeat(1_180) });
    const created = await api.read(
      createdDatasetSchema,
      'POST',
      '/api/v1/datasets?name=Large',
      `${line}\n`.repeat(10_000),
      { type: 'application/jsonl' },
    );
    expect(created.caseCount).toBe(10_000);
    expect(await api.read(deletedSchema, 'DELETE', `/api/v1/datasets/${created.id}`)).toEqual({
      deleted: { datasets: 1, cases: 10_000 },
    });
  });

  test('rejects an upload above 50 MB by its Content-Length before the body is sent', async ({ api }) => {
    const headers = { 'content-length': '50000001' };
    const refused = await api.call('POST', '/api/v1/datasets?name=x', 'input\n', { type: 'text/csv', headers });
    expect(refused).toMatchObject({ status: 413, body: { error: { code: 'too_large' } } });
  });

  for (const [name, chunked] of [
    ['of unknown', true],
    ['of known', false],
  ] as const)
    test(`an upload above 50 MB ${name} length is rejected, and a client that keeps sending gets the response`, async ({
      api,
    }) => {
      const body = Buffer.alloc(50_100_000, 'x');
      const refused = await api.call('POST', '/api/v1/datasets?name=x', body, { type: 'text/csv', chunked });
      expect(refused).toMatchObject({ status: 413, body: { error: { code: 'too_large' } } });
    });
});

test.describe('paths and queries', () => {
  const missing = ['experiments', 'datasets', 'batches', 'runs'].flatMap((kind) => [
    `/api/v1/${kind}/${UNKNOWN_ID}`,
    `/api/v1/${kind}/not-an-id`,
    `/api/v1/${kind}/1%00`,
  ]);
  for (const path of [
    ...missing,
    `/api/v1/runs/${UNKNOWN_ID}/events`,
    '/api/v1/runs/x/events',
    '/api/v1/nowhere',
    '/api/nowhere',
  ]) {
    test(`GET ${path} is not found`, async ({ api }) => {
      expect(await api.call('GET', path)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    });
  }

  const actions = [
    `experiments/${UNKNOWN_ID}/runs`,
    `runs/${UNKNOWN_ID}/decisions`,
    `runs/${UNKNOWN_ID}/stop`,
    `runs/${UNKNOWN_ID}/resume`,
    'providers/nobody/test',
    'nowhere',
  ];
  for (const path of actions) {
    test(`POST /api/v1/${path} is not found`, async ({ api }) => {
      const body = { runs: { input: 'x' }, decisions: { decision: 'stop' } }[path.split('/').at(-1) ?? ''];
      expect(await api.call('POST', `/api/v1/${path}`, body)).toMatchObject({
        status: 404,
        body: { error: { code: 'not_found' } },
      });
    });
  }

  const queries: [string, string][] = [
    ['/api/v1/runs?status=done', 'status'],
    ['/api/v1/runs?experimentId=1', 'experimentId'],
    ['/api/v1/runs?limit=0', 'limit'],
    ['/api/v1/runs?limit=201', 'limit'],
    ['/api/v1/runs?cursor=x', 'cursor'],
    ['/api/v1/runs?cursor=999999999999', 'cursor'],
    ['/api/v1/experiments?cursor=1_------------------------------------', 'cursor'],
    ['/api/v1/experiments?state=x', 'state'],
    ['/api/v1/datasets?limit=1&limit=2', 'limit'],
    [`/api/v1/runs/${UNKNOWN_ID}/events?lastEventId=x`, 'lastEventId'],
    [`/api/v1/runs/${UNKNOWN_ID}/events?after=1`, 'after'],
  ];
  for (const [path, field] of queries) {
    test(`GET ${path} names ${field}`, async ({ api }) => {
      expect(await api.call('GET', path)).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid', field, message: expect.stringContaining(field) } },
      });
    });
  }

  test('a search for text that the database cannot store returns no results', async ({ api }) => {
    for (const search of ['%00', '%ff', '%25', '_', '%5C']) {
      expect((await api.call('GET', `/api/v1/experiments?search=${search}`)).status).toBe(200);
    }
  });
});
