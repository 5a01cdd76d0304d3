import { describe, expect, test } from 'vitest';
import { resumeRun } from '#lib/batches/resume-run.ts';
import { spendLedger } from '#lib/budgets/spend-ledger.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { updateExperiment } from '#lib/experiments/update-experiment.ts';
import type { ModelCaller } from '#lib/providers/call/model-caller.ts';
import { queuedRun, storedRun, TESTER, testContext, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { whatIf } from '#lib/what-if/what-if.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { loadRun } from './load-run.ts';

const db = useTestDatabase();
const PLAIN: ExperimentSettingsInput = {
  mode: 'revise',
  generator: { provider: 'practice', model: 'practice-1' },
  criteria: [{ name: 'quality', evaluator: 'llm' }],
  maxIterations: 3,
  convergence: null,
};
const TASK = { input: 'Write a note on the tide.' };

/**
 * Returns a fake model: a draft scores 0.5, each revision 0.1 more; a call takes 300 tokens, $0.01 and 0.3 s. `before` runs before every
 * call.
 */
function scripted(before: (call: number) => Promise<void> = async () => {}) {
  const seen = { calls: 0 };
  const call: ModelCaller = async ({ role, prompt }) => {
    await before(seen.calls++);
    const revisions = Math.max(0, ...[...prompt.matchAll(/Tide (\d+)/g)].map(([, number]) => Number(number)));
    const text =
      role === 'evaluate'
        ? JSON.stringify({ criteria: [{ name: 'quality', score: 0.5 + revisions / 10, reason: 'So.' }] })
        : role === 'reflect'
          ? JSON.stringify({ summary: 'So.', issues: [], suggestions: [] })
          : `Tide ${role === 'generate' ? 0 : revisions + 1}`;
    return {
      ok: true,
      reply: {
        text,
        tokenUsage: { input: 200, output: 100, total: 300 },
        costUsd: 0.01,
        latencyMs: 300,
        attempts: 1,
        warnings: [],
        finishReason: 'stop',
      },
    };
  };
  return { seen, call };
}

async function ended(budget: ExperimentSettingsInput['budget'], model = scripted()) {
  const context = testContext(db.database());
  const runId = await queuedRun(context, { ...PLAIN, budget }, TASK);
  const worker = testWorkerContext(context, model.call);
  await performRun(worker, runId);
  const load = () => storedRun(db.database(), runId);
  return { context, runId, load, model, perform: () => performRun(worker, runId) };
}

describe('resuming a run that ended at its own budget', () => {
  test.each([
    ['token_budget', { maxTokens: 1_000 }, { maxTokens: 100_000 }],
    ['cost_budget', { maxCostUsd: 0.035 }, { maxCostUsd: 5 }],
    ['call_budget', { maxCalls: 3 }, { maxCalls: 100 }],
    ['time_budget', { maxSeconds: 1 }, { maxSeconds: 3_600 }],
    ['token_budget', { maxTokens: 1_000 }, { maxTokens: null }],
  ] as const)('%s %j resumes with %j', async (reason, budget, larger) => {
    const { context, runId, load, perform, model } = await ended(budget);
    const stopped = await load();
    expect(stopped.run).toMatchObject({ status: 'finished', convergenceReason: reason });
    const before = model.seen.calls;
    unwrap(await resumeRun(context, TESTER, runId, { budget: larger }));
    await perform();
    const { run, history, settings } = await load();
    expect(run).toMatchObject({ status: 'finished', convergenceReason: 'quality_met', success: true });
    expect(settings.budget).toMatchObject(larger);
    // No call is repeated: a draft, three revisions, one judgement of each, and a critique between them.
    expect(model.seen.calls).toBe(11);
    expect(before).toBeLessThan(6);
    expect(history.decisions.find(({ decision }) => decision === 'resume')?.reason).toMatch(/^Budget for this run: /);
    expect(whatIf(history, settings, settings, run.finishedAt).end).toMatchObject({
      type: 'stops',
      reason: 'quality_met',
    });
  });

  test("uses the experiment's current budget by default and keeps its other settings", async () => {
    const { context, runId, load, perform } = await ended({ maxTokens: 1_000 });
    const { experimentId: id } = (await load()).run;
    unwrap(await updateExperiment(context, TESTER, id, { budget: { maxTokens: 50_000 }, maxIterations: 0 }));
    unwrap(await resumeRun(context, TESTER, runId));
    await perform();
    const { run, settings } = await load();
    expect(run).toMatchObject({ convergenceReason: 'quality_met', experimentVersion: 1 });
    expect(settings).toMatchObject({ maxIterations: 3, budget: { maxTokens: 50_000 } });
  });

  test('resumes without a budget after the experiment changed to prompt tuning', async () => {
    const { context, runId, load } = await ended({ maxTokens: 1_000 });
    const { experimentId: id } = (await load()).run;
    const tuning = { mode: 'tune', prompts: { generate: '{{input}}' }, budget: { maxTokens: 50_000 } } as const;
    unwrap(await updateExperiment(context, TESTER, id, tuning));
    unwrap(await resumeRun(context, TESTER, runId));
    expect((await load()).settings).toMatchObject({ mode: 'revise', maxIterations: 3, budget: { maxTokens: 50_000 } });
  });

  test.each([
    ['an unchanged budget', {}, 'budget.maxTokens'],
    ['an exhausted budget', { budget: { maxTokens: 1_100 } }, 'budget.maxTokens'],
    ['another exhausted budget', { budget: { maxTokens: null, maxCalls: 2 } }, 'budget.maxCalls'],
    ['the unchanged budget of its experiment', { budget: 'experiment' }, 'budget.maxTokens'],
  ])('rejects %s', async (_name, input, field) => {
    const { context, runId, load } = await ended({ maxTokens: 1_000 });
    expect(await resumeRun(context, TESTER, runId, input)).toMatchObject({
      ok: false,
      problem: { code: 'conflict', field, message: expect.stringMatching(/^The run has used .*larger budget/) },
    });
    expect((await load()).run.status).toBe('finished');
  });

  test.each(['maxIterations', 'maxTries'])('rejects %s, which only a tuning run has', async (name) => {
    const { context, runId } = await ended({ maxTokens: 1_000 });
    expect(await resumeRun(context, TESTER, runId, { budget: { [name]: 5 } })).toMatchObject({
      problem: { code: 'invalid', field: `budget.${name}`, message: expect.stringContaining('tuning run') },
    });
  });

  test('rejects an invalid budget and names the field', async () => {
    const { context, runId } = await ended({ maxTokens: 1_000 });
    expect(await resumeRun(context, TESTER, runId, { budget: { maxTokens: 0 } })).toMatchObject({
      problem: { code: 'invalid', field: 'budget.maxTokens' },
    });
    expect(await resumeRun(context, TESTER, runId, { budget: 'all' })).toMatchObject({
      problem: { code: 'invalid', field: 'budget' },
    });
  });

  test('rejects a run that ended for another reason', async () => {
    const { context, runId } = await ended({});
    expect(await resumeRun(context, TESTER, runId, { budget: { maxTokens: 9_000 } })).toMatchObject({
      problem: { code: 'conflict', message: expect.stringContaining('ended at its own budget can be resumed') },
    });
  });
});

test('applies a changed experiment budget to the next call of a running run', async () => {
  const context = testContext(db.database());
  let experimentId = '';
  const model = scripted(async (call) => {
    if (call === 2)
      unwrap(await updateExperiment(context, TESTER, experimentId, { budget: { maxExperimentTokens: 1_000 } }));
  });
  const runId = await queuedRun(context, { ...PLAIN, budget: { maxExperimentTokens: 1_000_000 } }, TASK);
  experimentId = (await db.database().prisma.run.findUniqueOrThrow({ where: { id: runId } })).experimentId;
  spendLedger(db.database()).forgetLimits();
  await performRun(testWorkerContext(context, model.call), runId);
  const run = await loadRun(db.database(), runId);
  expect(run?.run).toMatchObject({ convergenceReason: 'experiment_budget', experimentVersion: 1 });
  expect(model.seen.calls).toBe(3);
});
