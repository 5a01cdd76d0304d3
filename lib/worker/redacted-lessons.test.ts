import { expect, test } from 'vitest';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { expectWatcher, followRun } from '#lib/live/live.ts';
import type { ModelCaller, ModelRequest } from '#lib/providers/call/model-caller.ts';
import { listModelCalls } from '#lib/runs/list-model-calls.test-support.ts';
import { PRACTICE_SUMS, queuedRun, TESTER, testContext, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performJob } from './perform-job.ts';
import { performRun } from './perform-run.ts';
import { requestRetrospective } from './request-retrospectives.ts';

const db = useTestDatabase();

const KEY = `sk-${'proj'}-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5`;
const MAIL = 'anna.k@mail.example.org';
const HOST = '10.20.30.40:8443';
const SETTINGS: ExperimentSettingsInput = { ...PRACTICE_SUMS, maxAttempts: 3 };
const TASK = { input: `What is 11 + 21 × 6? Answer as Finish[number]. Ask ${MAIL} when in doubt.`, reference: '137' };

/** Returns the tables that contain a text in any column. */
async function tablesWith(text: string): Promise<string[]> {
  const { pool } = db.database();
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rowCount } = await pool.query(`SELECT 1 FROM ${name} AS t WHERE position($1 in t::text) > 0 LIMIT 1`, [
      text,
    ]);
    if (rowCount !== 0) found.push(name);
  }
  return found;
}

/** Performs a run whose model leaks secrets in its lessons. Returns its requests and the output its watchers received. */
async function performed(lesson: string) {
  const context = testContext(db.database());
  const runId = await queuedRun(context, SETTINGS, TASK);
  const real = testWorkerContext(context);
  const asked: ModelRequest[] = [];
  const call: ModelCaller = async (request, options) => {
    asked.push(request);
    if (request.role === 'generate') options.onText?.('an attempt');
    const outcome = await real.call(request, options);
    if (request.role === 'generate' && outcome.ok) return { ok: true, reply: { ...outcome.reply, text: 'Finish[0]' } };
    if (request.role !== 'lesson' || !outcome.ok) return outcome;
    options.onText?.(lesson);
    return { ok: true, reply: { ...outcome.reply, text: lesson } };
  };
  const seen: string[] = [];
  expectWatcher(runId);
  const unfollow = followRun(runId, { onEvents: () => undefined, onText: ({ text }) => void seen.push(text) });
  await performRun({ ...real, call }, runId);
  unfollow();
  return { runId, asked, seen: seen.join('') };
}

test('a secret in a lesson is in no table, no later prompt and no streamed output', async () => {
  const { runId, asked, seen } = await performed(`Use ${KEY} at https://${HOST}/v1, or ask ${MAIL}.`);
  expect(await tablesWith(KEY)).toEqual([]);
  expect(await tablesWith(HOST)).toEqual([]);
  expect(seen).toContain('an attempt');
  for (const secret of [KEY, HOST]) {
    expect(seen).not.toContain(secret);
    expect(asked.filter(({ prompt }) => prompt.includes(secret))).toEqual([]);
  }
  const redacted = 'Use [redacted: key] at https://[redacted: address]/v1, or ask [redacted: e-mail].';
  expect(asked.filter(({ role }) => role === 'generate').at(-1)?.prompt).toContain(redacted);
  const calls = await listModelCalls(db.database(), runId);
  expect(calls.filter(({ role }) => role === 'lesson').map(({ text }) => text)).toEqual([redacted, redacted]);
});

test('redacts the source input stored with a lesson, but not the case input', async () => {
  const { runId } = await performed('Read the question once more.');
  const { rows } = await db
    .database()
    .pool.query<{ source_input: string }>('SELECT source_input FROM lessons WHERE run_id = $1', [runId]);
  const kept = 'What is 11 + 21 × 6? Answer as Finish[number]. Ask [redacted: e-mail] when in doubt.';
  expect(rows.length).toBeGreaterThan(0);
  expect([...new Set(rows.map((row) => row.source_input))]).toEqual([kept]);
  expect(await tablesWith(MAIL)).toContain('public.runs');
  expect(await tablesWith(MAIL)).not.toContain('public.lessons');
});

test('a retrospective stores no escaped secret and no private part of the input', async () => {
  const context = testContext(db.database());
  const runId = await queuedRun(context, { ...SETTINGS, maxAttempts: 1 }, TASK);
  const real = testWorkerContext(context);
  await performRun(real, runId);
  unwrap(await requestRetrospective(context, TESTER, runId));
  const policy = `{"policies": [{"tool": "search", "constraint": "Ask bo\\u0040mail.example.org,\\nor use ${KEY}"}]}`;
  const call: ModelCaller = async (request, options) => {
    const outcome = await real.call(request, options);
    return outcome.ok ? { ok: true, reply: { ...outcome.reply, text: policy } } : outcome;
  };
  await performJob({ ...real, call }, runId);
  const { rows } = await db
    .database()
    .pool.query<{ fields: unknown; source_input: string }>(
      "SELECT fields, source_input FROM lessons WHERE run_id = $1 AND kind = 'tool_policy'",
      [runId],
    );
  expect(rows).toEqual([
    {
      fields: { tool: 'search', constraint: 'Ask [redacted: e-mail],\nor use [redacted: key]' },
      source_input: expect.stringContaining('Ask [redacted: e-mail] when'),
    },
  ]);
  for (const secret of [KEY, 'bo@mail', 'u0040mail']) expect(await tablesWith(secret)).toEqual([]);
});
