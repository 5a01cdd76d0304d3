import { describe, expect, test } from 'vitest';
import { resumeRun } from '#lib/batches/resume-run.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { effectiveScores } from '#lib/core/tuning/case-scores.ts';
import { interruptRun } from '#lib/live/interrupt.ts';
import type { ModelRequest } from '#lib/providers/call/model-caller.ts';
import { storedRun, TESTER, testContext, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { groupSaves } from '#lib/worker/group-saves.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import {
  CALL_COST_USD,
  casesNamed,
  promptKnowing,
  queuedTuning,
  type ScriptedResponse,
  scriptedTuner,
  startedTuning,
  tuningSettings,
} from '#lib/worker/tuning-run.test-support.ts';
import { decide } from './decide.ts';
import { deleteRun } from './delete-run.ts';
import { findRunWarnings } from './queries.ts';

const db = useTestDatabase();
const CASES = [...casesNamed('train', 'a', 'b', 'c'), ...casesNamed('validation', 'p', 'q', 'r', 's')];
const GOOD = promptKnowing('a', 'b', 'c', 'p', 'q', 'r', 's');

async function begun(
  changes: Partial<ExperimentSettingsInput> = {},
  says?: (request: ModelRequest, asked: ModelRequest[]) => ScriptedResponse | Promise<ScriptedResponse>,
) {
  const context = testContext(db.database());
  const tuner = scriptedTuner([GOOD, GOOD], says);
  const { runId, experimentId } = await queuedTuning(context, tuningSettings(changes), CASES);
  const perform = () => performRun(testWorkerContext(context, tuner.call), runId);
  return { context, tuner, runId, experimentId, perform, stored: () => storedRun(context.database, runId) };
}

function questions(asked: ModelRequest[]): string[] {
  return asked.map(({ role, prompt, ordinal }) => `${role} ${role === 'judge' ? ordinal : ''} ${prompt}`);
}

/** 7 cases for each of two prompts, and one proposal. */
const WHOLE_RUN = 2 * CASES.length + 1;

describe('repeated calls with the same prompt and case', () => {
  test('a second run reuses paid responses, pays only for its proposal, and gets the same scores', async () => {
    const { context, tuner, perform, stored, experimentId } = await begun();
    await perform();
    const first = await stored();
    expect(tuner.asked).toHaveLength(WHOLE_RUN);
    const secondId = await startedTuning(context, experimentId, CASES);
    await performRun(testWorkerContext(context, tuner.call), secondId);
    const second = await storedRun(context.database, secondId);
    expect(tuner.asked.slice(WHOLE_RUN).map(({ role }) => role)).toEqual(['reflect']);
    expect(second.run).toMatchObject({ convergenceReason: 'quality_met', callCount: 1, costUsd: CALL_COST_USD });
    expect(second.history.tries.every(({ paidBefore, costUsd }) => paidBefore && costUsd === 0)).toBe(true);
    expect((await findRunWarnings(db.database(), secondId)).warnings).toEqual([]);
    const scores = ({ history }: typeof first) => history.evaluations.map(({ overallScore }) => overallScore);
    expect(scores(second)).toEqual(scores(first));
    expect(first.history.tries.some(({ paidBefore }) => paidBefore)).toBe(false);
  });

  test('are paid again after the run that paid for them is deleted', async () => {
    const { context, tuner, perform, runId, experimentId } = await begun();
    await perform();
    await deleteRun(context, TESTER, runId);
    const secondId = await startedTuning(context, experimentId, CASES);
    await performRun(testWorkerContext(context, tuner.call), secondId);
    expect(tuner.asked).toHaveLength(2 * WHOLE_RUN);
  });

  test('are not paid again after a worker was killed before it saved the response to the journal', async () => {
    const { context, tuner, perform, stored, runId } = await begun();
    // The response was received and stored, but the worker was killed before its next write.
    const dead = new Error('killed');
    const { database } = context;
    const worker = testWorkerContext(context, tuner.call);
    const deaf = { ...database, pool: refusing(database.pool, /model_calls|case_tries/, dead) };
    await expect(performRun({ ...worker, database: deaf, save: groupSaves(deaf) }, runId)).rejects.toThrow();
    expect(tuner.asked.length).toBeGreaterThan(0);
    await perform();
    const { run, history } = await stored();
    expect(run).toMatchObject({ convergenceReason: 'quality_met', callCount: WHOLE_RUN });
    expect(tuner.asked).toHaveLength(WHOLE_RUN);
    expect(run.costUsd).toBeCloseTo(WHOLE_RUN * CALL_COST_USD);
    expect(history.tries.some(({ paidBefore }) => paidBefore)).toBe(false);
  });
});

test('a generated first prompt is not paid for again after the worker is killed', async () => {
  const changes = { prompts: { generate: null }, tune: { task: 'Say yes.' }, maxIterations: 0 };
  const { context, tuner, perform, stored, runId } = await begun(changes);
  // The response was stored, but the process died before it saved the version.
  const save = () => Promise.reject(new Error('killed'));
  await expect(performRun({ ...testWorkerContext(context, tuner.call), save }, runId)).rejects.toThrow();
  expect(tuner.asked.map(({ role }) => role)).toEqual(['reflect']);
  expect((await stored()).history.versions).toEqual([]);
  await perform();
  const { run, history } = await stored();
  expect(history.versions).toMatchObject([{ number: 0, origin: 'generated', output: GOOD, costUsd: CALL_COST_USD }]);
  expect(tuner.asked.filter(({ role }) => role === 'reflect')).toHaveLength(1);
  expect(run.callCount).toBe(tuner.asked.length);
});

/** Wraps a pool so that writes that match the pattern fail. */
function refusing<Pool extends object>(pool: Pool, pattern: RegExp, error: Error): Pool {
  return new Proxy(pool, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (name !== 'query') return value.bind(target);
      return (asked: { text: string } | string, ...rest: unknown[]) => {
        const text = typeof asked === 'string' ? asked : asked.text;
        return /^\s*(WITH|INSERT)/.test(text) && pattern.test(text)
          ? Promise.reject(error)
          : Reflect.apply(value, target, [asked, ...rest]);
      };
    },
  });
}

describe('a provider that fails on one case', () => {
  test('fails the run but keeps its scores; a resumed run calls the model only for missing ones', async () => {
    let isDown = true;
    const { context, tuner, perform, stored, runId } = await begun({}, ({ prompt }) =>
      isDown && prompt.includes('Item: q.') ? { fails: 'unavailable' } : null,
    );
    await perform();
    const failed = await stored();
    expect(failed.run).toMatchObject({ status: 'failed', convergenceReason: 'model_failed', success: false });
    expect(failed.history.failure).toMatchObject({ role: 'generate', message: 'The model is down.' });
    expect([...effectiveScores(failed.history, 0).keys()].toSorted()).toEqual([3, 5, 6]);
    isDown = false;
    unwrap(await resumeRun(context, TESTER, runId));
    await perform();
    const { run } = await stored();
    expect(run).toMatchObject({ status: 'finished', convergenceReason: 'quality_met' });
    const onFailing = tuner.asked.filter(({ prompt }) => prompt.includes('Item: q. Known: .')).length;
    expect(tuner.asked).toHaveLength(WHOLE_RUN - 1 + onFailing);
    expect(run.callCount).toBe(tuner.asked.length);
  });
});

describe('an unreadable judge response', () => {
  test('ends the run as evaluation_failed after judging again, without paying for the outputs again', async () => {
    const judged: ExperimentSettingsInput['criteria'] = [{ name: 'tone', evaluator: 'llm' }];
    const { tuner, perform, stored } = await begun({ criteria: judged }, ({ role }) =>
      role === 'judge' ? 'No idea.' : null,
    );
    await perform();
    const { run, history } = await stored();
    expect(run).toMatchObject({ status: 'failed', convergenceReason: 'evaluation_failed', success: false });
    expect(history.evaluations).toEqual([]);
    expect(history.tries.every(({ score, status }) => score === null && status === 'partial')).toBe(true);
    const [tries, judges] = ['try', 'judge'].map((role) => tuner.asked.filter((one) => one.role === role));
    expect(tries).toHaveLength(4);
    // Each judgement is requested twice, and each case is judged twice.
    expect(judges).toHaveLength(4 * 2 * 2);
    expect(new Set(questions(tuner.asked)).size).toBe(tuner.asked.length);
  });
});

describe('stopping a run during a model call', () => {
  test('keeps its scores; once resumed, it makes the remaining calls and repeats no saved one', async () => {
    const { promise: isAsking, resolve: nowAsking } = Promise.withResolvers<void>();
    let hangs = true;
    const { context, tuner, perform, stored, runId } = await begun({}, async ({ prompt }) => {
      if (!hangs || !prompt.includes('Item: r.')) return null;
      nowAsking();
      await until(() => !hangs);
      return null;
    });
    const performing = perform();
    await isAsking;
    await until(async () => tuner.asked.length === 4);
    unwrap(await decide(context, TESTER, runId, { decision: 'stop' }));
    interruptRun(runId);
    hangs = false;
    await performing;
    const stopped = await stored();
    expect(stopped.run).toMatchObject({ status: 'stopped', convergenceReason: 'user_stopped', success: false });
    expect([...effectiveScores(stopped.history, 0).keys()].toSorted()).toEqual([3, 4, 6]);
    unwrap(await resumeRun(context, TESTER, runId));
    await perform();
    const { run, history } = await stored();
    expect(run).toMatchObject({ status: 'finished', convergenceReason: 'quality_met' });
    const again = tuner.asked.filter(({ prompt }) => prompt.includes('Item: r. Known: .'));
    expect(again).toHaveLength(2);
    expect(tuner.asked).toHaveLength(WHOLE_RUN + 1);
    expect(history.tries.some(({ paidBefore }) => paidBefore)).toBe(false);
  });
});

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}
