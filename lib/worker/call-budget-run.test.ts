import { expect, test } from 'vitest';
import { resumeRun } from '#lib/batches/resume-run.ts';
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
