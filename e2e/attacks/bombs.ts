import { gzipSync } from 'node:zlib';
import { expect } from '@playwright/test';
import { outputHitsSchema } from '#lib/api/runs-schema.ts';
import { triedCriterionSchema } from '#lib/batches/try-criterion.ts';
import { type CallOptions, SMALL } from '../api/open-api.ts';
import { type AttackTable, eachOf } from './attack.ts';
import { sendAction } from './send-action.ts';
import type { Stage } from './stage.ts';

const MCP = { accept: 'application/json, text/event-stream' };

type Bomb = { path: string; body: string | Buffer; options?: CallOptions };

/** Expects an error response with a message and a healthy server afterwards. */
async function expectRefused({ owner, members }: Stage, { path, body, options = {} }: Bomb): Promise<void> {
  // The MCP route accepts only tokens.
  const asked = path === '/api/mcp' ? { authorization: `Bearer ${members.owner.token}`, ...MCP } : {};
  const headers = { ...asked, ...options.headers };
  const { status, text } = await owner.call('POST', path, body, { ...options, headers });
  // MCP returns 200 and reports the error in the body.
  if (path === '/api/mcp') expect(text).toMatch(/"(error|isError)"/);
  else expect([400, 413, 415, 422]).toContain(status);
  // A request rejected because of its URL did not reach its target.
  expect(text).not.toMatch(/query parameter|There is no route/);
  expect(text.length).toBeLessThan(5_000);
  expect((await owner.call('GET', '/api/v1/health')).status).toBe(200);
}

const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const list = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const aliases = ['a: &a [x,x,x,x,x,x,x,x,x]']
  .concat([...'bcdefghij'].map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[at]}`).join(',')}]`))
  .join('\n');
const members = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',')}}`;
const jsonl = { type: 'application/jsonl' };
const packed = gzipSync(Buffer.alloc(30_000_000, '{"input": "x"}\n'));

/** Returns a tar header that announces a file of `size` bytes. The content does not follow. */
function tarHeader(name: string, size: string, type = '0'): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000644\0', 100);
  header.write(size.padStart(11, '0'), 124);
  header.write('        ', 148);
  header.write(type, 156);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

const BOMBS: [string, Bomb][] = [
  ['deeply nested objects', { path: '/api/v1/experiments', body: `{"name": ${deep(100_000)}}` }],
  ['deeply nested lists', { path: '/api/v1/experiments', body: `{"criteria": ${list(100_000)}}` }],
  [
    'case metadata nested a thousand levels deep',
    { path: '/api/v1/datasets', body: `{"name":"x","cases":[{"input":"x","metadata":${deep(1_000)}}]}` },
  ],
  [
    'a deeply nested JSONL line of cases',
    { path: '/api/v1/datasets?name=x', body: `{"input": "x", "metadata": ${deep(50_000)}}\n`, options: jsonl },
  ],
  [
    'a deeply nested line of imported runs',
    { path: '/api/v1/runs/import', body: `{"run": ${deep(50_000)}}\n`, options: jsonl },
  ],
  [
    'a deeply nested line of imported lessons',
    { path: '/api/v1/lessons/import', body: `{"kind": ${deep(50_000)}}\n`, options: jsonl },
  ],
  [
    'a deeply nested JSON schema',
    {
      path: '/api/v1/experiments',
      body: JSON.stringify({ ...SMALL, criteria: [] }).replace(
        '[]',
        `[{"name":"s","evaluator":"json_schema","config":{"schema":${deep(5_000)}}}]`,
      ),
    },
  ],
  [
    'a deeply nested MCP tool call',
    { path: '/api/mcp', body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${deep(50_000)}}` },
  ],
  ['a hundred thousand members', { path: '/api/v1/experiments', body: members(100_000) }],
  ['six hundred thousand members', { path: '/api/v1/experiments', body: members(600_000) }],
  [
    'a number with a million digits',
    { path: '/api/v1/experiments', body: `{"name":"x","maxIterations":${'9'.repeat(1_000_000)}}` },
  ],
  [
    'a number that overflows to infinity',
    {
      path: '/api/v1/experiments',
      body: JSON.stringify({ ...SMALL, qualityThreshold: 0 }).replace(
        '"qualityThreshold":0',
        '"qualityThreshold":1e999999',
      ),
    },
  ],
  ['gzipped JSON', { path: '/api/v1/experiments', body: packed, options: { headers: { 'content-encoding': 'gzip' } } }],
  [
    'JSON gzipped twice',
    { path: '/api/v1/experiments', body: gzipSync(packed), options: { headers: { 'content-encoding': 'gzip, gzip' } } },
  ],
  [
    'gzipped cases',
    { path: '/api/v1/datasets?name=x', body: packed, options: { ...jsonl, headers: { 'content-encoding': 'gzip' } } },
  ],
  [
    'deflated runs',
    { path: '/api/v1/runs/import', body: packed, options: { ...jsonl, headers: { 'content-encoding': 'deflate' } } },
  ],
  [
    'a zip file sent as tar',
    {
      path: '/api/v1/lessons/import',
      body: Buffer.from('PK\x03\x04'.padEnd(2_000, '\0')),
      options: { type: 'application/x-tar' },
    },
  ],
  [
    'a gzipped tar',
    { path: '/api/v1/lessons/import', body: gzipSync(tarHeader('a.md', '1')), options: { type: 'application/x-tar' } },
  ],
  ['a zip', { path: '/api/v1/lessons/import', body: Buffer.from('PK\x03\x04'), options: { type: 'application/zip' } }],
  [
    'a tar header that announces 8 GB of content',
    { path: '/api/v1/lessons/import', body: tarHeader('a.md', '77777777777'), options: { type: 'application/x-tar' } },
  ],
  [
    'a tar header that announces a name of 8 GB',
    {
      path: '/api/v1/lessons/import',
      body: tarHeader('a', '77777777777', 'L'),
      options: { type: 'application/x-tar' },
    },
  ],
  [
    'YAML aliases that expand ninefold per line',
    { path: '/api/v1/datasets/promptfoo', body: JSON.stringify({ config: `${aliases}\ntests: *j\n` }) },
  ],
  [
    'a CSV with 500,000 columns',
    {
      path: '/api/v1/datasets?name=x',
      body: `${'c,'.repeat(500_000)}\n${'x,'.repeat(500_000)}\n`,
      options: { type: 'text/csv' },
    },
  ],
  [
    'a CSV with an unclosed quote',
    { path: '/api/v1/datasets?name=x', body: `input\n"${'x'.repeat(5_000_000)}`, options: { type: 'text/csv' } },
  ],
  [
    'a name of eight million characters',
    { path: '/api/v1/experiments', body: JSON.stringify({ ...SMALL, name: 'x'.repeat(7_900_000) }) },
  ],
];

export const BOMBS_AND_SIZES: AttackTable = {
  kind: 'decompression bombs and oversized input',
  attacks: [
    ...eachOf(BOMBS, expectRefused),
    {
      name: 'a pattern with catastrophic backtracking',
      attempt: async ({ owner }) => {
        const criterion = { name: 'p', evaluator: 'regex', config: { pattern: '^(a+)+$|(x+x+)+y' } };
        const generator = { provider: 'practice', model: 'practice-1' };
        for (const [output, score] of [
          ['x'.repeat(50_000), 0],
          [`${'a'.repeat(50_000)}!`, 0],
          ['a'.repeat(50_000), 1],
        ] as const) {
          const sent = { generator, criterion, case: { input: 'x' }, output };
          const tried = await owner.read(triedCriterionSchema, 'POST', '/api/v1/experiments/try-criterion', sent);
          expect(tried.score).toBe(score);
        }
      },
    },
    {
      name: 'a search for SQL wildcards',
      attempt: async ({ owner }) => {
        const wanted = `Zircon${Date.now()}`;
        const criteria = [{ name: 'any', evaluator: 'regex', config: { pattern: '.' } }];
        const experimentId = await owner.createExperiment({ name: 'Searched', criteria });
        const runId = await owner.startRun(experimentId, `Describe ${wanted} in a line.`);
        await owner.waitForRun(runId, ['finished', 'failed']);
        const found = async (query: string) => {
          const path = `/api/v1/search?q=${encodeURIComponent(query)}&limit=200`;
          return (await owner.read(outputHitsSchema, 'GET', path)).items.map((hit) => hit.runId);
        };
        await expect.poll(() => found(wanted), { timeout: 30_000 }).toEqual([runId]);
        for (const query of ['%'.repeat(200), '_'.repeat(200), '\\', 'Quartz | Describe', `Quartz' OR '1'='1`, '*:*'])
          expect(await found(query)).not.toContain(runId);
        for (const path of ['/api/v1/search?q=', '/api/v1/lessons?query=', '/api/v1/prompts?search='])
          expect((await owner.call('GET', path + 'x'.repeat(201))).status).toBe(400);
        for (const query of ["'; DROP TABLE runs; --", '%', '\\', '((((', 'a:* | !b'])
          for (const path of ['/api/v1/lessons?query=', '/lessons?q=', '/search?q=', '/compare?add=1&q='])
            expect((await owner.call('GET', path + encodeURIComponent(query))).status).toBe(200);
        expect(await found(wanted)).toEqual([runId]);
      },
    },
    {
      name: 'an action with a body of 20 MB and one with deep nesting',
      attempt: async (stage) => {
        const action = stage.action('createPromptAction');
        const headers = { ...stage.owner.headers, origin: stage.address };
        const prompt = (text: string) => `[{"name": "Bomb", "text": ${text}}, []]`;
        for (const args of [prompt(`"${'x'.repeat(20_000_000)}"`), prompt(deep(20_000))]) {
          // A connection closed during the upload also counts as a rejection.
          await sendAction(stage.address, { action, page: '/prompts/new', args, headers }).catch(() => null);
        }
        expect((await stage.owner.call('GET', '/api/v1/prompts/Bomb')).status).toBe(404);
      },
    },
    {
      name: 'headers of one megabyte',
      attempt: async ({ owner }) => {
        const refused = await owner
          .call('GET', '/api/v1/runs', undefined, { headers: { 'x-long': 'x'.repeat(1_000_000) } })
          .then(
            ({ status }) => status,
            () => 431,
          );
        expect(refused).toBe(431);
        expect((await owner.call('GET', '/api/v1/health')).status).toBe(200);
      },
    },
  ],
};
