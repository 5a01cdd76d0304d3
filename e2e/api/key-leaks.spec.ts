import pg from 'pg';
import { callsSchema } from '#lib/api/runs-schema.ts';
import { madeApiTokenSchema } from '#lib/api/team.ts';
import { ENTRIES } from '#lib/auth/entries.test-support.ts';
import { startCollector } from '#lib/providers/tracing/collector.test-support.ts';
import { startTestMcpServer } from '#lib/tools/mcp/mcp-server.test-support.ts';
import { startPreparedPostgres } from '../prepared-postgres.ts';
import { type Script, startScriptedProvider } from '../scripted-provider.ts';
import { startApp } from '../start-app.ts';
import { expect, test } from './api-test.ts';
import { type Api, openApi } from './open-api.ts';

/** None of them looks like a key, so only redaction by exact value can remove them. */
const CANARIES = {
  provider: 'canary-of-the-provider-71',
  header: 'canary-of-the-mcp-header-72',
  webhook: 'canary-of-the-webhook-73',
  environment: 'canary-of-the-environment-74',
  gateway: 'canary-of-the-gateway-75',
};

/** A scripted model that repeats the key and header it received, calls the tool once if offered, and fails on FAIL. */
const ECHO_REQUEST: Script = ({ headers, prompt, messages, body }) => {
  const key = `${headers.authorization} ${headers['x-gateway']}`;
  if (prompt.includes('FAIL')) return { status: 401, body: { error: { message: `The key ${key} is not known.` } } };
  const uses = Array.isArray(body.tools) && !messages.some(({ role }) => role === 'tool');
  if (!uses) return { text: `${key} The tide comes in.\nscore: 0.9` };
  const calls = [{ id: 'c1', type: 'function', function: { name: 'house__forecast', arguments: `{"city":"${key}"}` } }];
  const message = { role: 'assistant', content: `I was given ${key}.`, tool_calls: calls };
  const usage = { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 };
  const choices = [{ index: 0, message, finish_reason: 'tool_calls' }];
  return { status: 200, body: { id: 'x', object: 'chat.completion', created: 0, model: 'm', choices, usage } };
};

const REGEX = { name: 'tide', evaluator: 'regex', config: { pattern: 'tide' } };

test('keys appear only encrypted: searches pages, API, exports, logs, traces, errors and database', async () => {
  test.setTimeout(300_000);
  const [postgres, collector, model, mcp] = await Promise.all([
    startPreparedPostgres(),
    startCollector(),
    startScriptedProvider(ECHO_REQUEST),
    startTestMcpServer(),
  ]);
  // The MCP server echoes the request it received as the tool result.
  mcp.interfere((request, response, text) => {
    if (!text.includes('"tools/call"')) return false;
    const { id } = JSON.parse(text);
    const result = {
      resultType: 'complete',
      content: [{ type: 'text', text: `Your header is ${request.headers.authorization}.` }],
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    return true;
  });
  const app = await startApp({
    env: {
      DATABASE_URL: postgres.connectionString,
      OPENAI_API_KEY: CANARIES.environment,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
    },
  });
  const api = openApi(app.address);
  const database = new pg.Client({ connectionString: postgres.connectionString });
  await database.connect();
  const searched: { where: string; text: string }[] = [];
  try {
    const { token, ids } = await sendEverything(api, { model: model.baseUrl, mcp: mcp.url }, searched);
    // The keys were actually sent to the servers that could leak them.
    expect(model.calls.every(({ headers }) => headers.authorization?.includes(CANARIES.provider))).toBe(true);
    expect(model.calls.every(({ headers }) => headers['x-gateway'] === `Token ${CANARIES.gateway}`)).toBe(true);
    expect(mcp.requests.some(({ headers }) => headers.authorization?.includes(CANARIES.header))).toBe(true);

    const read = new Set<string>();
    for (const path of addresses(ids)) {
      const { status, text } = await api.call('GET', path);
      searched.push({ where: `GET ${path} (${status})`, text });
      if (status === 200) read.add(path);
    }
    for (const path of [
      `/runs/${ids.runs[0]}`,
      `/runs/${ids.runs[0]}/calls`,
      '/models',
      '/settings',
      '/api/v1/export/runs',
    ])
      expect([...read].some((other) => other.startsWith(path))).toBe(true);
    for (const table of await tablesOf(database)) {
      const { rows } = await database.query<{ row: string }>(`SELECT t::text AS row FROM ${table} t`);
      for (const { row } of rows) searched.push({ where: `table ${table}`, text: row });
    }
    await app.stop();
    searched.push({ where: 'the log', text: app.output() });
    for (const { raw } of collector.requests) searched.push({ where: 'the traces', text: raw });
    expect(collector.spans.some(({ name }) => name.startsWith('execute_tool'))).toBe(true);

    for (const canary of [...Object.values(CANARIES), token])
      expect(searched.filter(({ text }) => text.includes(canary)).map(({ where }) => where)).toEqual([]);
    // Each occurrence was redacted in the run, its calls and its traces.
    const hasMarker = (where: RegExp) => searched.some((one) => where.test(one.where) && one.text.includes('[key]'));
    for (const where of [/^GET \/api\/v1\/runs\/[^/]+ /, /calls\/\d+ /, /agent_observations/, /the traces/])
      expect(hasMarker(where), String(where)).toBe(true);
  } finally {
    await app.stop();
    await database.end();
    await Promise.all([collector.stop(), model.stop(), mcp.close()]);
    await postgres.stop();
  }
});

type Ids = { experiments: string[]; runs: string[]; calls: [string, number][]; batch: string };

/** Stores each key, triggers errors with it, and runs everything that sends it. */
async function sendEverything(
  api: Api,
  at: { model: string; mcp: string },
  searched: { where: string; text: string }[],
): Promise<{ token: string; ids: Ids }> {
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await api.call(method, `/api/v1${path}`, body);
    searched.push({ where: `${method} ${path} (${answer.status})`, text: answer.text });
    return answer;
  };
  const apiKey = CANARIES.provider;
  const added = { 'X-Gateway': `Token ${CANARIES.gateway}` };
  const provider = { name: 'telltale', kind: 'openai-compatible', baseUrl: at.model, apiKey, headers: added };
  const headers = { authorization: `Bearer ${CANARIES.header}` };
  const webhook = { name: 'hook', url: 'http://127.0.0.1:9/hook', secret: CANARIES.webhook };
  const server = { kind: 'http', name: 'house', url: at.mcp, headers };
  for (const [path, good, bad] of [
    ['/providers', provider, { ...provider, baseUrl: 'no address', [CANARIES.provider.slice(0, 3)]: 1 }],
    ['/webhooks', webhook, { ...webhook, name: 'x', url: 5 }],
    ['/mcp-servers', server, { ...server, name: 'x', timeoutMs: 0 }],
  ] as const) {
    expect((await send('POST', path, bad)).status).toBe(400);
    expect((await send('POST', path, good)).status).toBe(201);
    expect((await send('POST', path, good)).status).toBeGreaterThanOrEqual(400);
  }
  await send('PATCH', '/providers/telltale', { apiKey, maxConcurrency: -1 });
  await send('POST', '/providers/telltale/test');
  await send('POST', '/webhooks/hook/test');
  expect((await send('POST', '/mcp-servers/house/test')).status).toBe(200);
  const made = await api.call('POST', '/api/v1/tokens', { name: 'robot', scopes: ['runs:read'] });
  const { token } = madeApiTokenSchema.parse(made.body);

  const generator = { provider: 'telltale', model: 'm' };
  const agent = { ...generator, base: { type: 'react', tools: ['house__forecast'], maxSteps: 4 } };
  const experiments = [
    await api.createExperiment({
      generator,
      structuredReflection: false,
      criteria: [REGEX, { name: 'clarity', evaluator: 'llm' }],
      maxIterations: 1,
    }),
    await api.createExperiment({ generator: agent, criteria: [REGEX], mode: 'retry', maxAttempts: 1 }),
  ];
  const runs = [
    await api.startRun(experiments[0] ?? '', 'Write of the tide.'),
    await api.startRun(experiments[0] ?? '', 'FAIL'),
    await api.startRun(experiments[1] ?? '', 'Use the forecast.'),
  ];
  const ended = [];
  for (const run of runs) ended.push(await api.waitForRun(run, ['finished', 'failed', 'stopped'], 60_000));
  expect(ended.map(({ status, failure }) => [status, failure?.role ?? null])).toEqual([
    ['finished', null],
    ['failed', 'generate'],
    ['finished', null],
  ]);
  await send('POST', `/runs/${runs[0]}/reflections`, {});
  await send('POST', '/experiments/try-criterion', {
    generator,
    criterion: { name: 'clarity', evaluator: 'llm' },
    output: 'FAIL',
    case: { input: 'x' },
  });
  const calls: [string, number][] = [];
  for (const run of runs) {
    const { items } = await api.read(callsSchema, 'GET', `/api/v1/runs/${run}/calls`);
    for (const { id } of items) calls.push([run, id]);
  }
  return { token, ids: { experiments, runs, calls, batch: ended[0]?.batchId ?? '' } };
}

/** Returns every page and every GET route, filled in with existing names and ids. */
function addresses({ experiments, runs, calls, batch }: Ids): string[] {
  const names: Record<string, string> = { providers: 'telltale', webhooks: 'hook', 'mcp-servers': 'house' };
  return ENTRIES.filter(({ kind, name }) => kind === 'page' || name.startsWith('GET ')).flatMap(({ path }) => {
    if (path === null || path.includes('{rest}') || path === '/api/mcp') return [];
    if (path.endsWith('/calls/{call}'))
      return calls.map(([run, call]) => filled(path, { id: run, call: String(call) }));
    const collection = path.match(/([a-z-]+)\/\{\w+\}/)?.[1] ?? '';
    if (collection === 'runs') return runs.map((id) => filled(path, { id }));
    if (collection === 'experiments') return experiments.map((id) => filled(path, { id }));
    if (collection === 'batches') return [filled(path, { id: batch })];
    const exported = path.endsWith('/export/runs') ? `?experimentId=${experiments[0]}` : '';
    return [`${filled(path, { name: names[collection] ?? 'none' })}${exported}`];
  });
}

function filled(path: string, values: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'none');
}

/** Returns all tables of the app and of its queue. */
async function tablesOf(database: pg.Client): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  expect(rows.length).toBeGreaterThan(30);
  return rows.map(({ name }) => name);
}
