import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openQueue, type Queue } from '#lib/queue/queue.ts';
import { PRACTICE_WRITING, queuedRun, testContext, testWorkerContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { writeMetrics } from './write-metrics.ts';

const db = useTestDatabase();
let queue: Queue;

beforeAll(async () => {
  queue = await openQueue(db.connectionString, (error) => expect.fail(error.message));
});
afterAll(() => queue.stop(1));

/** Returns the value of a metric line by its name and labels. */
async function metric(line: string): Promise<number | null> {
  const { text } = await writeMetrics(db.database());
  const found = text.split('\n').find((one) => one.startsWith(`${line} `));
  return found === undefined ? null : Number(found.slice(line.length + 1));
}

/** Ages calls so that the metrics include them. */
async function settleCalls(): Promise<void> {
  await db.database().pool.query(`UPDATE model_calls SET created_at = created_at - interval '10 seconds'`);
}

describe('metrics', () => {
  test('report runs, the queue and the worker slots of all processes', async () => {
    const { pool } = db.database();
    const context = testContext(db.database());
    const runId = await queuedRun(context, PRACTICE_WRITING, { input: 'Write a short note on the tide.' });
    await queue.enqueue([runId]);
    await pool.query(
      `UPDATE pgboss.job SET created_on = now() - interval '90 seconds', start_after = now() - interval '90 seconds'`,
    );
    const process = `INSERT INTO app_processes (id, kind, host, process_id, version, slots, busy, started_at, seen_at)
      VALUES ($1, $2, 'box', 1, '1', $3, $4, now(), now() - $5 * interval '1 second')`;
    await pool.query(process, [randomUUID(), 'web', 4, 1, 2]);
    await pool.query(process, [randomUUID(), 'worker', 8, 8, 2]);
    await pool.query(process, [randomUUID(), 'worker', 16, 0, 120]);
    expect(await metric('hone_runs{status="queued"}')).toBe(1);
    expect(await metric('hone_runs{status="failed"}')).toBe(0);
    expect(await metric('hone_queue_jobs{state="ready"}')).toBe(1);
    expect(await metric('hone_queue_oldest_seconds')).toBeGreaterThan(85);
    expect(await metric('hone_worker_slots{state="busy"}')).toBe(9);
    expect(await metric('hone_worker_slots{state="free"}')).toBe(3);
    expect(await metric('hone_processes{kind="worker"}')).toBe(1);
    expect(await metric('hone_database_waiting')).toBe(0);
  });

  test('count each call once with its outcome, tokens and cost', async () => {
    await writeMetrics(db.database());
    const context = testContext(db.database());
    const runId = await queuedRun(context, PRACTICE_WRITING, { input: 'Write a short note on the sea.' });
    await performRun(testWorkerContext(context), runId);
    const run = await db.database().prisma.run.findUniqueOrThrow({ where: { id: runId } });
    expect(
      await metric('hone_model_calls_total{provider="practice",model="practice-1",outcome="answered"}'),
    ).toBeNull();
    await settleCalls();
    for (let time = 0; time < 2; time++) {
      const of = 'provider="practice",model="practice-1"';
      expect(await metric(`hone_model_calls_total{${of},outcome="answered"}`)).toBe(run.callCount);
      expect(await metric(`hone_model_tokens_total{${of},direction="output"}`)).toBe(run.outputTokens);
      expect(await metric(`hone_model_cost_usd_total{${of}}`)).toBeCloseTo(run.costUsd, 9);
      expect(await metric(`hone_model_call_seconds_count{${of}}`)).toBe(run.callCount);
    }
  });

  test('limit the number of labels and escape model names', async () => {
    const { pool } = db.database();
    await pool.query(
      `INSERT INTO model_calls (run_id, step, ordinal, fingerprint, role, provider, model, instructions, prompt, options, failure,
         input_tokens, output_tokens, latency_ms, attempts, warnings, created_at)
       SELECT (SELECT id FROM runs LIMIT 1), 0, n, 'f', 'generate', 'many', E'model"\\n' || n, '', '', '{}', '{"kind": "timeout"}',
         0, 0, 5, 1, '{}', now() - interval '10 seconds' FROM generate_series(1, 200) n`,
    );
    const { text } = await writeMetrics(db.database());
    const series = text.split('\n').filter((line) => line.startsWith('hone_model_calls_total{'));
    expect(series.length).toBeLessThanOrEqual(52);
    expect(series.find((line) => line.includes('provider="other"'))).toMatch(/outcome="timeout"\} 15\d$/);
    for (const line of text.split('\n'))
      expect(line).toMatch(/^$|^# (HELP|TYPE) hone_\w+ .|^hone_\w+(\{.*\})? -?[\d.e+-]+$/);
  });
});
