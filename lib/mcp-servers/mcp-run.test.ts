import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Observation } from '#lib/core/history.ts';
import { CALL_SPEND } from '#lib/testing/scripted-loop.test-support.ts';
import {
  queuedRun,
  recordOf,
  storedRun,
  TESTER,
  testContext,
  testWorkerContext,
  unwrap,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { type Interfere, startTestMcpServer, type TestMcpServer } from '#lib/tools/mcp/mcp-server.test-support.ts';
import { agentModel, agentSettings } from '#lib/worker/agent-run.test-support.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { saveMcpServer, updateMcpServer } from './save-mcp-server.ts';
import { testMcpServer } from './test-mcp-server.ts';

const db = useTestDatabase();
const KEY = 'canary-0d1e2f3a4b5c';

let server: TestMcpServer;
let context: ReturnType<typeof testContext>;
beforeAll(async () => {
  server = await startTestMcpServer();
  context = testContext(db.database());
  const headers = { authorization: `Bearer ${KEY}` };
  for (const name of ['weather', 'slow']) {
    unwrap(await saveMcpServer(context, TESTER, { kind: 'http', name, url: server.url, headers }));
    expect(unwrap(await testMcpServer(context, TESTER, name)).ok).toBe(true);
  }
  unwrap(await updateMcpServer(context, TESTER, 'slow', { timeoutMs: 1_000 }));
});
afterEach(() => server.interfere(null));
afterAll(async () => {
  await context.mcp.close();
  await server.close();
});

/** Runs an agent that uses one tool of the server and then answers. */
async function runThatUses(tool: string, given: object) {
  const base = {
    type: 'react' as const,
    tools: ['weather__forecast', 'weather__throws', 'slow__hangs', 'weather__large'],
  };
  const runId = await queuedRun(context, agentSettings(base, { maxAttempts: 1 }), { input: 'What will it be?' });
  const model = agentModel(() => [{ thought: 'I look.', calls: [[tool, given]] }, 'Take a hat.']);
  await performRun(testWorkerContext(context, model), runId);
  return { runId, ...(await storedRun(db.database(), runId)) };
}

/** Intercepts every tool call with `response`. */
const atUse =
  (response: (answer: Parameters<Interfere>[1], request: Parameters<Interfere>[0]) => void): Interfere =>
  (request, answer, body) => {
    if (!body.includes('tools/call')) return false;
    response(answer, request);
    return true;
  };
const asIs: Interfere = () => false;

test.each<[string, string, object, Interfere, Observation['status'], RegExp]>([
  ['answers', 'weather__forecast', { city: 'Bern' }, asIs, 'ok', /^Sun in Bern\.$/],
  ['returns a long text', 'weather__large', {}, asIs, 'ok', /^x+\n\[cut: the answer is 50,000 characters long/],
  [
    'receives an unknown argument',
    'weather__forecast',
    { town: 'Bern' },
    asIs,
    'malformed',
    /must have required property 'city'/,
  ],
  ['throws', 'weather__throws', {}, asIs, 'failed', /barometer broke/],
  ['never responds', 'slow__hangs', {}, asIs, 'timed_out', /did not respond within 1 second/],
  [
    'exits during the call',
    'weather__forecast',
    { city: 'Bern' },
    atUse((answer) => answer.destroy()),
    'failed',
    /^The MCP server weather could not be reached: /,
  ],
  [
    'returns its input',
    'weather__forecast',
    { city: 'Bern' },
    atUse((answer, { headers }) => void answer.writeHead(500).end(`bad: ${headers.authorization}`)),
    'failed',
    /^The MCP server weather responded with status 500\.$/,
  ],
  ['does not exist', 'weather__sunset', {}, asIs, 'unknown_tool', /weather__forecast/],
])(
  'a server tool that %s: the agent gets the error and the run continues',
  async (_name, tool, given, interfere, status, text) => {
    server.interfere(interfere);
    const { runId, run, history } = await runThatUses(tool, given);
    expect(history.observations).toMatchObject([{ callId: '0.0', tool, status, text: expect.stringMatching(text) }]);
    expect(run).toMatchObject({ status: 'finished', convergenceReason: 'quality_met' });
    expect(history.versions).toMatchObject([{ output: 'Take a hat.', costUsd: 2 * CALL_SPEND.costUsd }]);
    const record = await recordOf(db.database(), runId);
    expect(JSON.stringify(record)).not.toContain(KEY);
  },
);

test('stores the key of a server only sealed in its own row', async () => {
  const { pool } = db.database();
  const { rows: tables } = await pool.query<{ name: string }>(
    "SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
  );
  expect(tables.length).toBeGreaterThan(20);
  for (const { name } of tables) {
    const { rows } = await pool.query(`SELECT count(*)::int AS holds FROM ${name} AS t WHERE t::text LIKE $1`, [
      `%${KEY}%`,
    ]);
    expect({ name, ...rows[0] }).toEqual({ name, holds: 0 });
  }
  expect(server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
});
