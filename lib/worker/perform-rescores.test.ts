import { describe, expect, test } from 'vitest';
import type { ModelCaller } from '#lib/providers/call/model-caller.ts';
import { listModelCalls } from '#lib/runs/list-model-calls.test-support.ts';
import { findRescores, rescoreVersion } from '#lib/runs/rescores.ts';
import { runsWithWaitingWork } from '#lib/runs/worker-queries.ts';
import { verdict } from '#lib/testing/scripted-loop.test-support.ts';
import {
  PRACTICE_WRITING,
  queuedRun,
  storedRun,
  TESTER,
  testContext,
  testWorkerContext,
  unwrap,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performJob } from './perform-job.ts';
import { performRescores } from './perform-rescores.ts';
import { performRun } from './perform-run.ts';

const db = useTestDatabase();
const TEXT = { input: 'Explain our rate limits to a new user' };
const SPEND = { tokenUsage: { input: 10, output: 5, total: 15 }, costUsd: 0.01, latencyMs: 100, attempts: 1 };

/** A judge that returns these scores in turn; null is an unparsable response, 'DOWN' a failed call. */
function judge(scores: (number | null | 'DOWN')[]): { call: ModelCaller; asked: () => number } {
  let asked = 0;
  return {
    asked: () => asked,
    call: async () => {
      const score = scores[asked++ % scores.length] ?? null;
      if (score === 'DOWN') {
        const failure = {
          kind: 'unavailable' as const,
          message: 'The judge is down.',
          remedy: 'Try later.',
          status: 503,
        };
        return { ok: false, failure: { ...failure, ...SPEND } };
      }
      const text = score === null ? 'no idea' : JSON.stringify(verdict({ clarity: score, completeness: score }));
      return { ok: true, reply: { text, finishReason: 'stop', warnings: [], ...SPEND } };
    },
  };
}

async function endedRun() {
  const context = testContext(db.database());
  const runId = await queuedRun(context, PRACTICE_WRITING, TEXT);
  await performRun(testWorkerContext(context), runId);
  const stored = await storedRun(db.database(), runId);
  context.sent.length = 0;
  return { context, runId, stored };
}

async function reportOf(runId: string, version = 0) {
  const report = (await findRescores(db.database(), await storedRun(db.database(), runId))).find(
    (one) => one.version === version,
  );
  if (report === undefined) throw new Error('no re-scores');
  return report;
}

async function rescoreCalls(runId: string) {
  return (await listModelCalls(db.database(), runId)).filter(({ step }) => step < 0);
}

describe('re-scoring a version', () => {
  test('scores it the requested number of times, keeps each call and leaves the run unchanged', async () => {
    const { context, runId, stored } = await endedRun();
    unwrap(await rescoreVersion(context, TESTER, runId, 0, { times: 3 }));
    expect(context.sent).toEqual([runId]);
    const { call, asked } = judge([0.5, 0.6, 0.9]);
    await performRescores(testWorkerContext(context, call), runId);
    expect(asked()).toBe(3);
    const report = await reportOf(runId);
    expect(report).toMatchObject({ asked: 3, scored: 3, waiting: 0, failed: 0, tokens: 45 });
    expect(report.spreads[0]).toMatchObject({
      n: 3,
      lowest: 0.5,
      highest: 0.9,
      first: stored.history.evaluations[0]?.overallScore,
    });
    expect((await rescoreCalls(runId)).map(({ step }) => step)).toEqual([-1, -2, -3]);
    expect(await storedRun(db.database(), runId)).toEqual(stored);
  });

  test('limits the number of waiting re-scores, even for concurrent requests', async () => {
    const { context, runId } = await endedRun();
    const asked = await Promise.all(
      Array.from({ length: 30 }, () => rescoreVersion(context, TESTER, runId, 0, { times: 10 })),
    );
    expect(asked.filter(({ ok }) => ok)).toHaveLength(10);
    expect(asked.find(({ ok }) => !ok)).toMatchObject({ problem: { code: 'conflict' } });
  });

  test.each([[9], [{ toString: 1 }]])('rejects the version %j', async (version) => {
    const { context, runId } = await endedRun();
    expect(await rescoreVersion(context, TESTER, runId, version as number, { times: 1 })).toMatchObject({
      problem: { code: 'not_found', field: 'version' },
    });
  });

  test('counts the re-scores of each version separately', async () => {
    const { context, runId } = await endedRun();
    unwrap(await rescoreVersion(context, TESTER, runId, 0, { times: 1 }));
    unwrap(await rescoreVersion(context, TESTER, runId, 1, { times: 2 }));
    await performRescores(testWorkerContext(context, judge([0.5]).call), runId);
    expect(await reportOf(runId, 0)).toMatchObject({ asked: 1, scored: 1 });
    expect(await reportOf(runId, 1)).toMatchObject({ asked: 2, scored: 2 });
  });

  test('a response that cannot be parsed twice is unscored, never 0', async () => {
    const { context, runId } = await endedRun();
    unwrap(await rescoreVersion(context, TESTER, runId, 0, { times: 2 }));
    await performRescores(testWorkerContext(context, judge([null, null, 0.7]).call), runId);
    const report = await reportOf(runId);
    expect(report).toMatchObject({ scored: 1, unscored: 1 });
    expect(report.spreads[0]).toMatchObject({ n: 1, unscored: 1, lowest: 0.7 });
  });

  test('fails with the reason if the judge is unavailable and skips the rest', async () => {
    const { context, runId } = await endedRun();
    unwrap(await rescoreVersion(context, TESTER, runId, 0, { times: 4 }));
    const { call, asked } = judge([0.6, 'DOWN']);
    await performRescores(testWorkerContext(context, call), runId);
    expect(asked()).toBe(2);
    expect(await reportOf(runId)).toMatchObject({
      scored: 1,
      failed: 1,
      skipped: 2,
      waiting: 0,
      failure: 'The judge is down. Try later.',
    });
  });

  test('does not repeat a completed call when restarted after a kill', async () => {
    const { context, runId } = await endedRun();
    unwrap(await rescoreVersion(context, TESTER, runId, 0, { times: 1 }));
    await performRescores(testWorkerContext(context, judge([0.4]).call), runId);
    // Simulates a worker that crashed after saving the response and before settling the re-score.
    await db
      .database()
      .pool.query("UPDATE rescores SET status = 'waiting', held_by = NULL, held_until = NULL, overall_score = NULL");
    const { call, asked } = judge([0.9]);
    await performRescores(testWorkerContext(context, call), runId);
    expect(asked()).toBe(0);
    expect((await reportOf(runId)).spreads[0]).toMatchObject({ n: 1, mean: 0.4 });
    expect(await rescoreCalls(runId)).toHaveLength(1);
  });

  test('a stopping worker releases its claim; two concurrent workers make no duplicate calls', async () => {
    const { context, runId } = await endedRun();
    unwrap(await rescoreVersion(context, TESTER, runId, 0, { times: 4 }));
    await expect(
      performRescores(testWorkerContext(context, judge([0.5]).call, AbortSignal.abort()), runId),
    ).rejects.toThrow('returned to the queue');
    const { call, asked } = judge([0.5]);
    const worker = testWorkerContext(context, call);
    await Promise.allSettled([performRescores(worker, runId), performRescores(worker, runId)]);
    expect(asked()).toBe(4);
    expect(await reportOf(runId)).toMatchObject({ scored: 4, waiting: 0 });
  });

  test('a job makes the re-scores of an ended run, and runs with remaining ones are reported', async () => {
    const { context, runId } = await endedRun();
    const left = (runIds: string[]) => runsWithWaitingWork(db.database(), runIds);
    expect(await left([runId])).toEqual([]);
    unwrap(await rescoreVersion(context, TESTER, runId, 0, { times: 2 }));
    expect(await left([runId, runId])).toEqual([runId]);
    const { call, asked } = judge([0.5]);
    await performJob(testWorkerContext(context, call), runId);
    expect(asked()).toBe(2);
    expect(await left([runId])).toEqual([]);
  });

  test('makes no calls while another worker holds the re-score', async () => {
    const { context, runId } = await endedRun();
    unwrap(await rescoreVersion(context, TESTER, runId, 0, { times: 1 }));
    await db
      .database()
      .pool.query(
        "UPDATE rescores SET held_by = gen_random_uuid(), held_until = now() + interval '10 seconds' WHERE run_id = $1",
        [runId],
      );
    const { call, asked } = judge([0.5]);
    await expect(performRescores(testWorkerContext(context, call), runId)).rejects.toThrow('holds');
    expect(asked()).toBe(0);
    expect(await runsWithWaitingWork(db.database(), [runId])).toEqual([]);
  });

  test.each([
    { name: 'a count of zero', version: 0, input: {}, code: 'invalid' },
    { name: 'a count that is too high', version: 0, input: { times: 21 }, code: 'invalid' },
    { name: 'a missing count', version: 0, input: { times: 0 }, code: 'invalid' },
    { name: 'a fractional count', version: 0, input: { times: 1.5 }, code: 'invalid' },
    { name: 'an unknown version', version: 99, input: { times: 1 }, code: 'not_found' },
  ])('rejects $name', async ({ version, input, code }) => {
    const { context, runId } = await endedRun();
    expect(await rescoreVersion(context, TESTER, runId, version, input)).toMatchObject({
      ok: false,
      problem: { code },
    });
    expect(context.sent).toEqual([]);
  });
});
