import { expect, test } from 'vitest';
import { resumeRun } from '#lib/batches/resume-run.ts';
import { closeDatabase, openDatabase } from '#lib/database/database.ts';
import type { ModelCaller } from '#lib/providers/call/model-caller.ts';
import { findRun } from '#lib/runs/queries.ts';
import { verdict } from '#lib/testing/scripted-loop.test-support.ts';
import {
  PRACTICE_WRITING,
  queuedRun,
  TESTER,
  testContext,
  testWorkerContext,
  unwrap,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from './perform-run.ts';
import { casesNamed, queuedTuning, scriptedTuner, tuningSettings } from './tuning-run.test-support.ts';

const db = useTestDatabase();
const SPEND = { tokenUsage: { input: 10, output: 5, total: 15 }, costUsd: 0.01, latencyMs: 100, attempts: 1 };

test('a repeated request does not exceed the budget of calls, and a resumed run makes only the missing calls', async () => {
  const asked: string[] = [];
  const call: ModelCaller = async ({ role }) => {
    asked.push(role);
    const isUnreadable = role === 'evaluate' && asked.length === 2;
    const text = isUnreadable ? 'Fine.' : JSON.stringify(verdict({ clarity: 1, completeness: 1 }));
    return { ok: true, reply: { text, finishReason: 'stop', warnings: [], ...SPEND } };
  };
  const context = testContext(db.database());
  const settings = { ...PRACTICE_WRITING, budget: { maxCalls: 2 } };
  const runId = await queuedRun(context, settings, { input: 'Explain it' });
  await performRun(testWorkerContext(context, call), runId);
  expect(asked).toEqual(['generate', 'evaluate']);
  expect((await findRun(db.database(), runId))?.record).toMatchObject({
    status: 'finished',
    convergenceReason: 'call_budget',
  });

  unwrap(await resumeRun(context, TESTER, runId, { budget: { maxCalls: 3 } }));
  await performRun(testWorkerContext(context, call), runId);
  expect(asked).toEqual(['generate', 'evaluate', 'evaluate']);
  expect((await findRun(db.database(), runId))?.record).toMatchObject({
    convergenceReason: 'quality_met',
    failure: null,
    tokenUsage: { total: 45 },
  });
});

test('after a kill, a tuning run makes at most the calls of its budget and those that were in flight', async () => {
  const [answered, maxCalls] = [6, 12];
  const names = Array.from({ length: 20 }, (_, at) => `case${at}`);
  const cases = [...casesNamed('train', 'a', 'b', 'c'), ...casesNamed('validation', ...names)];
  const { promise: kill, resolve: end } = Promise.withResolvers<{ fails: 'aborted' }>();
  const killed = scriptedTuner([], (_request, asked) => (asked.length <= answered ? null : kill));
  const next = scriptedTuner([]);
  const context = testContext(db.database());
  const { runId } = await queuedTuning(context, tuningSettings({ budget: { maxCalls } }), cases);
  const performing = performRun(testWorkerContext(context, killed.call), runId);
  await expect.poll(() => killed.asked.length, { timeout: 10_000 }).toBe(maxCalls);
  // The takeover of a dead process releases the requests that it was making.
  await db.database().pool.query('DELETE FROM paid_questions');
  const others = openDatabase(db.connectionString, { maxConnections: 4 });
  try {
    await performRun(testWorkerContext(testContext(others), next.call), runId);
    const run = await db.database().prisma.run.findUnique({ where: { id: runId } });
    const inFlight = maxCalls - answered;
    expect(run).toMatchObject({ convergenceReason: 'call_budget', callCount: next.asked.length + answered });
    expect(run?.callCount).toBe(maxCalls);
    expect(killed.asked.length + next.asked.length).toBe(maxCalls + inFlight);
  } finally {
    end({ fails: 'aborted' });
    await performing;
    await closeDatabase(others);
  }
});
