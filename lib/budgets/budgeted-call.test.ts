import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { resumeRun } from '#lib/batches/resume-run.ts';
import { tryCriterion } from '#lib/batches/try-criterion.ts';
import { deleteExperiment } from '#lib/experiments/delete-experiment.ts';
import { insertProvider } from '#lib/models/stored-provider.ts';
import type { ModelCaller, ModelFailure, ModelRequest } from '#lib/providers/call/model-caller.ts';
import { deleteRun } from '#lib/runs/delete-run.ts';
import { addOtherSpend } from '#lib/runs/other-spend.ts';
import { rescoreVersion } from '#lib/runs/rescores.ts';
import { beginOfMonth } from '#lib/settings/schema.ts';
import {
  PRACTICE_WRITING,
  queuedRun,
  TESTER,
  testContext,
  testWorkerContext,
  unwrap,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRescores } from '#lib/worker/perform-rescores.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { budgetedCall } from './budgeted-call.ts';
import { findBudgetWarnings, findMonthUse, spentByExperiment, spentSince } from './queries.ts';
import { spendLedger } from './spend-ledger.ts';
import { updateMonthBudget } from './update-month-budget.ts';

const db = useTestDatabase();
const OPTIONS = { signal: new AbortController().signal, onText: null };
const TASK = { input: 'Write a short note on the tide.' };

/** A model whose every call costs 1 dollar: a million output tokens. */
const USED = { input: 0, output: 1_000_000, total: 1_000_000 };

afterEach(async () => {
  await db.database().pool.query('TRUNCATE other_spend, installation_settings; DELETE FROM experiments');
  spendLedger(db.database()).forgetLimits();
});

async function dollarProvider(
  prices: Record<string, { inputPerMillionUsd: number; outputPerMillionUsd: number }> = {
    m: { inputPerMillionUsd: 0, outputPerMillionUsd: 1 },
  },
): Promise<string> {
  const name = `p-${randomUUID()}`;
  const none = { sealedKey: null, keyLastFour: null, maxConcurrency: null, maxRequestsPerMinute: null };
  const kind = 'openai-compatible' as const;
  await insertProvider(db.database().prisma, {
    ...none,
    name,
    kind,
    baseUrl: 'http://127.0.0.1:9',
    prices,
    now: new Date(),
  });
  return name;
}

function asked(provider: string): ModelRequest {
  return {
    role: 'generate',
    ordinal: 0,
    model: { provider, model: 'm' },
    instructions: '',
    prompt: '',
    temperature: 0,
    maxOutputTokens: null,
    output: null,
  };
}

/** Responds or fails at a price of one dollar each time, and counts the calls. */
function dollarModel(failure: Partial<ModelFailure> | null = null) {
  const seen = { calls: 0 };
  const call: ModelCaller = async () => {
    seen.calls += 1;
    await sleep(5);
    const spent = { tokenUsage: USED, costUsd: 1, latencyMs: 5, attempts: 1 };
    if (failure === null) return { ok: true, reply: { ...spent, text: 'x', finishReason: 'stop', warnings: [] } };
    return { ok: false, failure: { ...spent, kind: 'malformed', message: '', remedy: '', status: null, ...failure } };
  };
  return { seen, call };
}

function playground(call: ModelCaller) {
  const scope = { database: db.database(), now: () => new Date(), experimentId: null, purpose: 'playground' as const };
  return budgetedCall(call, scope).call;
}

async function setMonth(maxCostUsd: number | null): Promise<void> {
  unwrap(await updateMonthBudget(testContext(db.database()), TESTER, { maxCostUsd, warnAtPercent: 80 }));
}

/** Sets the budget in the newest settings of the run's experiment. */
async function setExperimentBudget(runId: string, budget: Record<string, number>): Promise<string> {
  const { pool } = db.database();
  const { rows } = await pool.query<{ experiment_id: string }>(
    `UPDATE experiment_versions v SET settings = jsonb_set(settings::jsonb, '{budget}', (settings->'budget')::jsonb || $2::jsonb)
     FROM runs r WHERE r.id = $1 AND v.experiment_id = r.experiment_id RETURNING v.experiment_id`,
    [runId, JSON.stringify(budget)],
  );
  spendLedger(db.database()).forgetLimits();
  return rows[0]?.experiment_id ?? '';
}

function spentThisMonth(): Promise<number> {
  return spentSince(db.database(), beginOfMonth(new Date()));
}

describe('monthly budget', () => {
  test('refuses calls beyond it, naming the budget, the amount and the remedy', async () => {
    const request = asked(await dollarProvider());
    const { seen, call } = dollarModel();
    const ask = playground(call);
    await setMonth(3.5);
    for (let made = 0; made < 3; made++) expect(await ask(request, OPTIONS)).toMatchObject({ ok: true });
    expect(await ask(request, OPTIONS)).toMatchObject({
      ok: false,
      failure: {
        kind: 'month_budget',
        attempts: 0,
        costUsd: 0,
        message: "The month's budget of $3.50 is used up: $3.00 spent, and this call may cost about $1.00.",
        remedy: expect.stringContaining('Raise the budget on the Models page'),
      },
    });
    expect(seen.calls).toBe(3);
    expect(await spentThisMonth()).toBe(3);
    await setMonth(null);
    expect(await ask(request, OPTIONS)).toMatchObject({ ok: true });
  });

  test('allows only as many concurrent calls as fit', async () => {
    const request = asked(await dollarProvider());
    const { seen, call } = dollarModel();
    const ask = playground(call);
    // A first call gives the estimate of the output length.
    await ask(request, OPTIONS);
    await setMonth(4);
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => ask(request, OPTIONS)));
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(3);
    expect(seen.calls).toBe(4);
    expect(await spentThisMonth()).toBe(4);
    expect(spendLedger(db.database()).holds.size).toBe(0);
  });

  test('counts a call once while its save is in progress', async () => {
    const request = asked(await dollarProvider());
    const { seen, call } = dollarModel();
    const scope = { database: db.database(), now: () => new Date(), experimentId: null, purpose: null };
    const budgeted = budgetedCall(call, scope);
    await setMonth(2.5);
    await budgeted.call(request, OPTIONS);
    const saving = Promise.withResolvers<void>();
    budgeted.waitFor(() => saving.promise);
    const { provider } = request.model;
    const stored = { experimentId: null, purpose: 'playground', provider, tokenUsage: USED, costUsd: 1 } as const;
    await addOtherSpend(db.database(), stored, new Date());
    const second = budgeted.call(request, OPTIONS);
    await sleep(50);
    expect(seen.calls).toBe(1);
    budgeted.written([request]);
    saving.resolve();
    expect(await second).toMatchObject({ ok: true });
    budgeted.close();
  });

  test('refuses a call whose images and tools would exceed it', async () => {
    const provider = await dollarProvider({ m: { inputPerMillionUsd: 1_000, outputPerMillionUsd: 0 } });
    const { seen, call } = dollarModel();
    await setMonth(1.5);
    const image = { type: 'file' as const, file: 'a'.repeat(64), mediaType: 'image/png' };
    const tools = [{ name: 'search', description: 'd'.repeat(8_000), parameters: { type: 'object' } }];
    const ask = playground(call);
    for (const request of [{ files: [image, image] }, { tools }])
      expect(await ask({ ...asked(provider), ...request }, OPTIONS)).toMatchObject({
        ok: false,
        failure: { kind: 'month_budget', message: expect.stringContaining('may cost about $2.') },
      });
    expect(seen.calls).toBe(0);
  });

  test('counts failed calls that cost money', async () => {
    const request = asked(await dollarProvider());
    const { seen, call } = dollarModel({ kind: 'malformed' });
    const ask = playground(call);
    await setMonth(1.0001);
    expect(await ask(request, OPTIONS)).toMatchObject({ ok: false, failure: { kind: 'malformed' } });
    expect(await ask(request, OPTIONS)).toMatchObject({ ok: false, failure: { kind: 'month_budget' } });
    expect(seen.calls).toBe(1);
  });

  test('does not block calls without a known price, and reports them', async () => {
    const request = asked(await dollarProvider({}));
    const call: ModelCaller = async () => ({
      ok: true,
      reply: {
        text: 'x',
        finishReason: 'stop',
        tokenUsage: USED,
        costUsd: null,
        latencyMs: 1,
        attempts: 1,
        warnings: [],
      },
    });
    await setMonth(0.000001);
    expect(await playground(call)(request, OPTIONS)).toMatchObject({ ok: true });
    expect(await findMonthUse(db.database(), new Date())).toMatchObject({ spentUsd: 0, unpricedCalls: 1 });
  });

  test('counts calls of a criterion trial', async () => {
    const context = testContext(db.database());
    const { generator } = PRACTICE_WRITING;
    const criterion = { name: 'clarity', evaluator: 'llm' };
    const input = { generator, criterion, output: 'The tide comes in.', case: TASK };
    const tried = unwrap(await tryCriterion(context, TESTER, input, OPTIONS.signal));
    expect(tried.costUsd).toBeGreaterThan(0);
    const use = await findMonthUse(db.database(), new Date());
    expect(use.otherUsd).toBeCloseTo(tried.costUsd ?? 0, 9);
    expect(use.practiceUsd).toBe(use.spentUsd);
  });

  test.each([
    [{ maxCostUsd: -1 }, 'maxCostUsd'],
    [{ maxCostUsd: '5' }, 'maxCostUsd'],
    [{ maxCostUsd: 5, warnAtPercent: 101 }, 'warnAtPercent'],
    [{ maxCostUsd: 5, warnAtPercent: 80, currency: 'EUR' }, 'currency'],
    [{}, 'maxCostUsd'],
    [{ warnAtPercent: 80 }, 'maxCostUsd'],
    [{ maxCostUsd: 5 }, 'warnAtPercent'],
  ])('refuses %j at %s', async (input, field) => {
    const refused = await updateMonthBudget(testContext(db.database()), TESTER, input);
    expect(refused).toMatchObject({ ok: false, problem: { code: 'invalid', field } });
  });
});

test('keeps the fields of two owners who each save one', async () => {
  await setMonth(5);
  const context = testContext(db.database());
  const changes = [{ maxCostUsd: 9 }, { warnAtPercent: 60 }];
  for (const changed of await Promise.all(
    changes.map((change) => updateMonthBudget(context, TESTER, change, { isPartial: true })),
  ))
    unwrap(changed);
  expect(await findMonthUse(db.database(), new Date())).toMatchObject({ maxCostUsd: 9, warnAtPercent: 60 });
});

test('refuses a missing field and points to null for no limit', async () => {
  await setMonth(5);
  const context = testContext(db.database());
  const refused = await updateMonthBudget(context, TESTER, {});
  expect(refused).toMatchObject({ problem: { message: expect.stringContaining('null (no limit), got nothing') } });
  expect(await findMonthUse(db.database(), new Date())).toMatchObject({ maxCostUsd: 5 });
  unwrap(await updateMonthBudget(context, TESTER, { maxCostUsd: null, warnAtPercent: 80 }));
  expect(await findMonthUse(db.database(), new Date())).toMatchObject({ maxCostUsd: null });
});

describe('a run', () => {
  test.each([
    {
      name: 'the month',
      set: (_: string) => setMonth(0.0012),
      raise: (_: string) => setMonth(null),
      reason: 'month_budget',
    },
    {
      name: 'its experiment',
      set: (runId: string) => setExperimentBudget(runId, { maxExperimentCostUsd: 0.0012 }),
      raise: (runId: string) => setExperimentBudget(runId, { maxExperimentCostUsd: 5 }),
      reason: 'experiment_budget',
    },
    {
      name: 'its experiment, in tokens',
      set: (runId: string) => setExperimentBudget(runId, { maxExperimentTokens: 1_500 }),
      raise: (runId: string) => setExperimentBudget(runId, { maxExperimentTokens: 100_000 }),
      reason: 'experiment_budget',
    },
  ])(
    'stops at the budget of $name, keeps its results, and resumes once it is raised',
    async ({ set, raise, reason }) => {
      const context = testContext(db.database());
      const runId = await queuedRun(context, PRACTICE_WRITING, TASK);
      await set(runId);
      await performRun(testWorkerContext(context), runId);
      const run = () => db.database().prisma.run.findUniqueOrThrow({ where: { id: runId } });
      const stopped = await run();
      expect(stopped).toMatchObject({ convergenceReason: reason, success: false });
      expect(stopped.callCount).toBeGreaterThan(0);
      await raise(runId);
      unwrap(await resumeRun(context, TESTER, runId));
      await performRun(testWorkerContext(context), runId);
      expect(await run()).toMatchObject({ convergenceReason: 'quality_met', success: true });
      expect(spendLedger(db.database()).holds.size).toBe(0);
    },
  );

  test.each([
    { name: 'their estimate, four at a time, never exceeds the budget', beyondUsd: 0, calls: 13 },
    { name: 'more than their estimate exceeds it only by the difference', beyondUsd: 0.05, calls: null },
  ])('calls that cost $name', async ({ beyondUsd, calls }) => {
    const context = testContext(db.database());
    const runId = await queuedRun(context, PRACTICE_WRITING, TASK);
    const experimentId = await setExperimentBudget(runId, { maxExperimentCostUsd: 2 });
    // Each call returns 150,000 tokens: $0.15, as the next call is estimated to cost.
    const request = asked(await dollarProvider());
    const tokenUsage = { input: 0, output: 150_000, total: 150_000 };
    let made = 0;
    const model: ModelCaller = async () => {
      made += 1;
      await sleep(5 + (made % 3) * 4);
      const spent = { tokenUsage, costUsd: 0.15 + beyondUsd, latencyMs: 5, attempts: 1 };
      return { ok: true, reply: { ...spent, text: 'x', finishReason: 'stop', warnings: [] } };
    };
    const scope = { database: db.database(), now: () => new Date(), experimentId, purpose: 'criterion_try' as const };
    const slot = async () => {
      const { call } = budgetedCall(model, scope);
      for (;;) {
        const outcome = await call(request, OPTIONS);
        if (!outcome.ok) return outcome.failure.kind;
      }
    };
    const ends = await Promise.all([slot(), slot(), slot(), slot()]);
    expect(ends).toEqual(Array.from({ length: 4 }, () => 'experiment_budget'));
    const { costUsd } = await spentByExperiment(db.database(), experimentId);
    expect(costUsd).toBeCloseTo(made * (0.15 + beyondUsd), 9);
    if (calls !== null) expect(made).toBe(calls);
    expect(costUsd).toBeLessThanOrEqual(2 + 4 * beyondUsd + 1e-9);
    expect(costUsd).toBeGreaterThan(2 - 0.15);
    expect(spendLedger(db.database()).holds.size).toBe(0);
  });

  test('counts calls of all runs, including those outside the loop, even after runs are deleted', async () => {
    const context = testContext(db.database());
    const runId = await queuedRun(context, PRACTICE_WRITING, TASK);
    const worker = testWorkerContext(context);
    await performRun(worker, runId);
    unwrap(await rescoreVersion(context, TESTER, runId, 0, { times: 2 }));
    await performRescores(worker, runId);
    const run = await db.database().prisma.run.findUniqueOrThrow({ where: { id: runId } });
    expect(run.asideCostUsd).toBeGreaterThan(0);
    const spent = await spentByExperiment(db.database(), run.experimentId);
    expect(spent.costUsd).toBeCloseTo(run.costUsd + run.asideCostUsd, 9);
    expect(spent.tokens).toBe(run.inputTokens + run.outputTokens + run.asideTokens);
    const month = await spentThisMonth();
    await setMonth(spent.costUsd * 1.1);
    await setExperimentBudget(runId, {
      maxExperimentCostUsd: spent.costUsd * 1.1,
      maxExperimentTokens: spent.tokens * 2,
    });
    expect(await findBudgetWarnings(context, run.experimentId)).toMatchObject([
      { budget: 'experiment', unit: 'usd' },
      { budget: 'month', unit: 'usd' },
    ]);
    await setMonth(null);
    expect(month).toBeCloseTo(spent.costUsd, 9);

    unwrap(await deleteRun(context, TESTER, runId));
    expect((await spentByExperiment(db.database(), run.experimentId)).costUsd).toBeCloseTo(spent.costUsd, 9);
    expect(await spentThisMonth()).toBeCloseTo(month, 9);
    unwrap(await deleteExperiment(context, TESTER, run.experimentId));
    expect(await spentThisMonth()).toBeCloseTo(month, 9);
    const use = await findMonthUse(db.database(), new Date());
    expect(use).toMatchObject({ experiments: [], unpricedCalls: 0 });
    expect(use.otherUsd).toBeCloseTo(month, 9);
  });
});
