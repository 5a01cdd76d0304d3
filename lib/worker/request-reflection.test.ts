import { describe, expect, test } from 'vitest';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { decide } from '#lib/runs/decide.ts';
import { listModelCalls } from '#lib/runs/list-model-calls.test-support.ts';
import { listRunEvents } from '#lib/runs/list-run-events.ts';
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
import { performRun } from './perform-run.ts';
import { requestReflection } from './request-reflection.ts';

const db = useTestDatabase();
const TEXT = { input: 'Explain our rate limits to a new user' };
const SIGNAL = new AbortController().signal;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

const stored = (runId: string) => storedRun(db.database(), runId);

async function performedRun(changes: Partial<ExperimentSettingsInput> = {}) {
  const context = testContext(db.database());
  const runId = await queuedRun(context, { ...PRACTICE_WRITING, ...changes }, TEXT);
  const perform = () => performRun(testWorkerContext(context), runId);
  const reflect = (input: unknown = {}, signal = SIGNAL) => requestReflection(context, TESTER, runId, input, signal);
  return { context, runId, perform, reflect };
}

describe('an ended run', () => {
  test('gets a critique of its best version, with event and cost; nothing else changes', async () => {
    const { runId, perform, reflect } = await performedRun({ maxIterations: 1 });
    await perform();
    const before = await stored(runId);
    const { version, critique } = unwrap(await reflect());
    expect(critique).toMatchObject({ trigger: 'manual', text: expect.stringMatching(/\S/) });
    const after = await stored(runId);
    expect(after.history.critiques).toHaveLength(before.history.critiques.length + 1);
    expect(after.history.critiques.at(-1)).toMatchObject({ version, trigger: 'manual', text: critique.text });
    expect(after.history).toMatchObject({
      step: before.history.step,
      activeMs: before.history.activeMs,
      versions: before.history.versions,
      decisions: before.history.decisions,
      lostSpend: before.history.lostSpend,
    });
    const { eventNumber, tokenUsage, costUsd, callCount, ...unchanged } = before.run;
    const { total } = critique.tokenUsage;
    expect(after.run.costUsd).toBeCloseTo(costUsd + (critique.costUsd ?? 0), 9);
    expect(after.run).toMatchObject({ ...unchanged, eventNumber: eventNumber + 1, callCount: callCount + 1 });
    expect(after.run.tokenUsage.total).toBe(tokenUsage.total + total);
    const events = await listRunEvents(db.database(), runId, eventNumber, 10);
    expect(events).toMatchObject([{ type: 'critiqued', data: { version, trigger: 'manual' } }]);
    expect((await listModelCalls(db.database(), runId)).at(-1)).toMatchObject({ role: 'reflect' });
  });

  test('accepts any version, repeatedly', async () => {
    const { runId, perform, reflect } = await performedRun({ maxIterations: 1 });
    await perform();
    for (const _ of [1, 2]) expect(unwrap(await reflect({ version: 0 })).version).toBe(0);
    const { history } = await stored(runId);
    expect(history.critiques.filter(({ trigger }) => trigger === 'manual')).toHaveLength(2);
  });
});

describe('a paused run', () => {
  test('keeps its pause, and the next revision uses the critique without a second one', async () => {
    const { context, runId, perform, reflect } = await performedRun({
      callbacks: { pause: 'before_revision' },
      maxIterations: 1,
    });
    await perform();
    const waiting = await stored(runId);
    const { critique } = unwrap(await reflect());
    const after = await stored(runId);
    expect(after.run).toMatchObject({ status: 'waiting', pause: waiting.run.pause });
    unwrap(
      await decide(context, TESTER, runId, { decision: 'continue', pauseId: waiting.history.pause?.pauseId ?? '' }),
    );
    await perform();
    const { history } = await stored(runId);
    expect(history.critiques).toMatchObject([{ version: 0, trigger: 'manual' }]);
    expect(history.versions[1]?.improvementsApplied).toEqual(critique.issues.map(({ text }) => text));
  });
});

describe('a run in progress', () => {
  test('the worker picks up the critique, repeats no paid call, and the run ends as expected', async () => {
    const calm = await performedRun();
    await calm.perform();
    const expected = await stored(calm.runId);
    const { context, runId, reflect } = await performedRun();
    const worker = testWorkerContext(context);
    let asked = 0;
    await performRun(
      {
        ...worker,
        call: async (request, options) => {
          // During the second revision.
          if (request.role === 'revise' && ++asked === 2) unwrap(await reflect({ version: 0 }));
          return worker.call(request, options);
        },
      },
      runId,
    );
    expect(asked).toBeGreaterThanOrEqual(2);
    const { run, history } = await stored(runId);
    expect(history.critiques.filter(({ trigger }) => trigger === 'manual')).toHaveLength(1);
    expect(history.versions.map(({ output }) => output)).toEqual(expected.history.versions.map(({ output }) => output));
    expect(run.convergenceReason).toBe(expected.run.convergenceReason);
    const calls = (await listModelCalls(db.database(), runId)).length;
    expect(calls).toBe((await listModelCalls(db.database(), calm.runId)).length + 1);
  });
});

describe('rejected requests', () => {
  test.each<[string, unknown, string]>([
    ['an unknown version', { version: 7 }, 'version 7 does not exist'],
    ['a version that is not a number', { version: 'best' }, 'must be the number of a version'],
    ['an unknown key', { why: 'x' }, 'why'],
  ])('%s', async (_name, input, message) => {
    const { runId, perform, reflect } = await performedRun({ maxIterations: 0 });
    await perform();
    expect(await reflect(input)).toMatchObject({
      ok: false,
      problem: { code: 'invalid', message: expect.stringContaining(message) },
    });
    expect((await stored(runId)).history.critiques).toEqual([]);
  });

  test('an unknown run, and a run without versions', async () => {
    const { context, reflect } = await performedRun();
    expect(await requestReflection(context, TESTER, UNKNOWN, {}, SIGNAL)).toMatchObject({
      ok: false,
      problem: { code: 'not_found' },
    });
    expect(await reflect()).toMatchObject({ ok: false, problem: { code: 'conflict' } });
  });

  test('a cancelled call stores no critique', async () => {
    const { runId, perform, reflect } = await performedRun({ maxIterations: 0 });
    await perform();
    expect(await reflect({}, AbortSignal.abort())).toMatchObject({ ok: false, problem: { code: 'unavailable' } });
    expect((await stored(runId)).history.critiques).toEqual([]);
  });
});
