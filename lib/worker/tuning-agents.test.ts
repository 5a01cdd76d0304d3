import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { PROPOSAL_FENCE } from '#lib/core/tuning/proposal-prompt.ts';
import type { ModelOutcome, ModelRequest } from '#lib/providers/call/model-caller.ts';
import { findAblationView, requestAblation } from '#lib/runs/ablations.ts';
import { verdict } from '#lib/testing/scripted-loop.test-support.ts';
import { storedRun, TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import type { Tool } from '#lib/tools/toolbox.ts';
import { agentWorkerContext, ECHO, echoTool } from './agent-run.test-support.ts';
import { performAblations } from './perform-ablations.ts';
import { performRun } from './perform-run.ts';
import { fingerprintOf } from './recorded-call.ts';
import { CALL_COST_USD, CALL_TOKENS, casesNamed, queuedTuning, TUNED_CASES } from './tuning-run.test-support.ts';

const db = useTestDatabase();

/** A tool whose results name the index that contains the pages. */
function searchTool(used: string[]): Tool {
  return {
    ...echoTool([]),
    run: async ({ text }) => {
      used.push(String(text));
      const [index, item] = String(text).split(' ');
      const found = index === 'live' ? `page of ${item}` : `No page of ${item}: search the index live.`;
      return { status: 'ok', text: found };
    },
  };
}

/** An agent that searches the index named in its prompt and answers with the result, and a reflection model that reads traces. */
function searchingModel(stopAt: number | null = null) {
  const asked: ModelRequest[] = [];
  const answered: string[] = [];
  const stop = new AbortController();
  const call = async (request: ModelRequest, { signal }: { signal: AbortSignal }): Promise<ModelOutcome> => {
    asked.push(request);
    if (asked.length === stopAt) stop.abort();
    await Promise.resolve();
    const spend = {
      tokenUsage: { input: 300, output: 100, total: CALL_TOKENS },
      costUsd: CALL_COST_USD,
      latencyMs: 10,
    };
    if (signal.aborted) {
      const none = { tokenUsage: { input: 0, output: 0, total: 0 }, costUsd: 0, latencyMs: 0 };
      const failure = { ...none, kind: 'aborted' as const, message: '', remedy: '', status: null, attempts: 0 };
      return { ok: false, failure };
    }
    answered.push(`${request.ordinal} ${fingerprintOf(request)}`);
    const reply = { ...spend, finishReason: 'stop', attempts: 1, warnings: [] };
    if (request.role === 'reflect') {
      const [, index = 'of everything'] = /search the index (\w+)/.exec(request.prompt) ?? [];
      const text = `It names no index.\n${PROPOSAL_FENCE}\nItem: {{input}}. Index: ${index}.\n${PROPOSAL_FENCE}`;
      return { ok: true, reply: { ...reply, text } };
    }
    const [, item = '', index = ''] = /Item: (.*?)\. Index: (.*?)\./s.exec(request.prompt) ?? [];
    const result = request.conversation?.messages.findLast(({ role }) => role === 'tool');
    if (result?.role === 'tool')
      return { ok: true, reply: { ...reply, text: result.results[0]?.text.startsWith('page') ? 'yes' : 'no' } };
    const use = { id: 'theirs', tool: ECHO, arguments: JSON.stringify({ text: `${index} ${item}` }) };
    return { ok: true, reply: { ...reply, text: 'I search.', finishReason: 'tool-calls', toolCalls: [use] } };
  };
  return { call, asked, answered, stop };
}

/** The same agent with a judge that returns no usable score for case q in its first step and then aborts `stop`. */
function judgedModel(stop: AbortController): ReturnType<typeof searchingModel> {
  const model = searchingModel();
  let unusable = 0;
  return {
    ...model,
    call: async (request, options) => {
      if (request.role !== 'judge') return model.call(request, options);
      model.asked.push(request);
      const spend = { tokenUsage: { input: 0, output: 0, total: 0 }, costUsd: 0, latencyMs: 0 };
      const reply = { ...spend, finishReason: 'stop', attempts: 1, warnings: [] };
      const isUnusable = /\bq\b/.test(request.prompt) && unusable < 2;
      if (isUnusable && ++unusable === 2) setTimeout(() => stop.abort(), 0);
      return { ok: true, reply: { ...reply, text: isUnusable ? 'Hm.' : JSON.stringify(verdict({ right: 1 })) } };
    },
  };
}

function settings(changes: Partial<ExperimentSettingsInput> = {}): ExperimentSettingsInput {
  return {
    mode: 'tune',
    // Unique instructions, so that no saved response is reused.
    generator: {
      ...{ provider: 'practice', model: 'practice-1', instructions: randomUUID() },
      base: { type: 'react', tools: [ECHO], maxSteps: 4 },
    },
    prompts: { generate: 'Item: {{input}}. Index: archive.' },
    criteria: [{ name: 'exact', evaluator: 'reference', config: { match: 'exact' } }],
    qualityThreshold: 1,
    maxIterations: 1,
    convergence: null,
    ...changes,
    tune: { proposalsAtOnce: 1, maxRepeats: 1, ...changes.tune },
  };
}

async function tuned(given: ExperimentSettingsInput, model = searchingModel(), cases = TUNED_CASES) {
  const context = testContext(db.database());
  const used: string[] = [];
  const { runId } = await queuedTuning(context, given, cases);
  const perform = (signal?: AbortSignal) =>
    performRun(agentWorkerContext(context, model.call, [searchTool(used)], signal), runId);
  const measure = async (maxTries: number, signal?: AbortSignal) => {
    unwrap(await requestAblation(context, TESTER, runId, { maxTries }));
    const work = (until?: AbortSignal) =>
      performAblations(agentWorkerContext(context, model.call, [searchTool(used)], until), runId);
    if (signal !== undefined) await expect(work(signal)).rejects.toThrow();
    await work();
    return (await findAblationView(db.database(), await storedRun(context.database, runId))).report;
  };
  const results = () => db.database().prisma.toolResult.count({ where: { runId } });
  const traces = async () => {
    const orderBy = [{ step: 'asc' as const }, { version: 'asc' as const }, { position: 'asc' as const }];
    const tries = await db.database().prisma.caseTry.findMany({ where: { runId }, orderBy });
    return tries.map(({ trace }) => trace);
  };
  return { used, model, perform, measure, results, traces, load: () => storedRun(context.database, runId) };
}

describe('a tuning run with an agent as generator', () => {
  test('proposes a prompt from information found only in tool results', async () => {
    const { model, used, perform, load, traces } = await tuned(settings());
    await perform();

    const { history, run } = await load();
    expect(run).toMatchObject({ status: 'finished', failure: null });
    expect(history.versions.map(({ output }) => output)).toEqual([
      'Item: {{input}}. Index: archive.',
      'Item: {{input}}. Index: live.',
    ]);
    expect(history.evaluations.map(({ overallScore }) => overallScore)).toEqual([0, 1]);
    const [trace] = await traces();
    expect(trace?.split('\n').map((line) => JSON.parse(line))).toEqual([
      { name: 'thought', output: 'I search.' },
      { name: ECHO, input: { text: 'archive p' }, output: 'No page of p: search the index live.' },
    ]);
    const proposal = model.asked.find(({ role }) => role === 'reflect')?.prompt ?? '';
    expect(proposal).toContain('Its tools are javascript. It has at most 4 turns.');
    expect(proposal).toMatch(/No page of [abc]:/);
    expect(proposal).not.toMatch(/No page of [pqxy]:/);
    // Traces are not kept in memory: those of a long run can exceed the maximum string length.
    expect(history.tries.filter(({ trace }) => trace !== undefined)).toEqual([]);
    expect(used.toSorted()).toEqual([...new Set(used)].toSorted());
  });

  test('counts each turn as a call, with its tokens and its cost', async () => {
    const { model, perform, load } = await tuned(settings());
    await perform();
    const { run, history } = await load();
    expect(run.callCount).toBe(model.asked.length);
    expect(run.tokenUsage.total).toBe(model.asked.length * CALL_TOKENS);
    expect(run.costUsd).toBeCloseTo(model.asked.length * CALL_COST_USD);
    const [first] = history.tries;
    expect(first?.tokenUsage.total).toBe(2 * CALL_TOKENS);
  });

  test.each([
    ['call_budget', { maxCalls: 20 }],
    ['token_budget', { maxTokens: 20 * CALL_TOKENS }],
    ['cost_budget', { maxCostUsd: 20 * CALL_COST_USD }],
  ])('stays within its budget: %s', async (reason, budget) => {
    const { model, perform, load } = await tuned(settings({ budget, maxIterations: 10 }));
    await perform();
    const { run } = await load();
    expect(run.convergenceReason).toBe(reason);
    expect(model.asked.length).toBeGreaterThan(4);
    expect(model.asked.length).toBeLessThanOrEqual(20);
  });

  test.each([2, 5, 9, 14, 23, 28])('repeats no saved call when stopped at call %i and resumed', async (stopAt) => {
    const whole = await tuned(settings());
    await whole.perform();
    const { model, perform, load } = await tuned(settings(), searchingModel(stopAt));
    await expect(perform(model.stop.signal)).rejects.toThrow();
    await perform();

    const { history, run } = await load();
    expect(run).toMatchObject({ status: 'finished', failure: null });
    const scores = ({ tries }: typeof history) =>
      tries.map(({ version, position, score }) => [version, position, score]).toSorted();
    expect(scores(history)).toEqual(scores((await whole.load()).history));
    expect(model.answered).toHaveLength(new Set(model.answered).size);
    expect(model.answered).toHaveLength(whole.model.answered.length);
    expect(run.tokenUsage.total).toBe(model.answered.length * CALL_TOKENS);
  });

  test('measures the contribution of each change using the tools of the agent', async () => {
    const names = Array.from({ length: 8 }, (_, at) => `v${at}`);
    const cases = [
      ...casesNamed('train', 'a', 'b'),
      ...casesNamed('validation', ...names),
      ...casesNamed('held_out', 'x'),
    ];
    const { perform, measure } = await tuned(settings(), searchingModel(), cases);
    await perform();
    expect(await measure(16)).toMatchObject({ status: 'done', whole: { mean: 1 }, parts: [{ contribution: 1 }] });
  });

  test('an interrupted measurement does not repeat tool calls', async () => {
    const names = Array.from({ length: 8 }, (_, at) => `v${at}`);
    const cases = [...casesNamed('train', 'a', 'b'), ...casesNamed('validation', ...names)];
    const whole = await tuned(settings(), searchingModel(), cases);
    await whole.perform();
    const before = whole.model.asked.length;
    await whole.measure(16);
    const killed = await tuned(settings(), searchingModel(before + 20), cases);
    await killed.perform();
    await killed.measure(16, killed.model.stop.signal);
    expect(killed.used.toSorted()).toEqual(whole.used.toSorted());
    expect(await killed.results()).toBe(0);
  });

  test('resumes an agent after a failed turn without repeating its tool calls', async () => {
    const model = searchingModel();
    let failures = 0;
    const failing: typeof model = {
      ...model,
      call: async (request, options) => {
        const isSecondTurn = request.role === 'try' && (request.conversation?.messages.length ?? 0) > 0;
        if (!isSecondTurn || !request.prompt.includes('Item: p.') || failures > 0) return model.call(request, options);
        failures++;
        const spend = { tokenUsage: { input: 0, output: 0, total: 0 }, costUsd: 0, latencyMs: 0 };
        const failure = { message: 'The model is down.', remedy: 'Try again later.', status: 503, attempts: 1 };
        return { ok: false, failure: { ...spend, ...failure, kind: 'unavailable' } };
      },
    };
    const { perform, load, used, results } = await tuned(settings({ maxIterations: 0 }), failing);
    await perform();
    expect(failures).toBe(1);
    const { run, history } = await load();
    expect(run).toMatchObject({ status: 'finished', failure: null });
    expect(new Set(history.tries.map(({ step }) => step)).size).toBeGreaterThan(1);
    expect(used.toSorted()).toEqual(['p', 'q', 'x', 'y'].map((item) => `archive ${item}`));
    expect(await results()).toBe(0);
  });

  test('keeps the tool results of a case until it is scored, even after an interruption', async () => {
    const stop = new AbortController();
    const { perform, load, used, results } = await tuned(
      settings({ maxIterations: 0, criteria: [{ name: 'right', evaluator: 'llm' }] }),
      judgedModel(stop),
    );
    await expect(perform(stop.signal)).rejects.toThrow();
    expect(await results()).toBeGreaterThan(0);
    await perform();
    expect((await load()).run).toMatchObject({ status: 'finished', failure: null });
    expect(used.toSorted()).toEqual([...new Set(used)].toSorted());
    expect(await results()).toBe(0);
  });

  test('cuts off an agent that never responds and stores an empty output', async () => {
    const model = searchingModel();
    const endless: typeof model = {
      ...model,
      call: async (request, options) => {
        const outcome = await model.call(request, options);
        if (request.role !== 'try' || !outcome.ok) return outcome;
        const made = request.conversation?.messages.length ?? 0;
        const use = { id: 'theirs', tool: ECHO, arguments: JSON.stringify({ text: `live ${made}` }) };
        return { ok: true, reply: { ...outcome.reply, text: 'Once more.', toolCalls: [use] } };
      },
    };
    const { perform, load, traces } = await tuned(settings({ maxIterations: 0 }), endless);
    await perform();
    const [first] = (await load()).history.tries;
    expect(first).toMatchObject({ output: '', finishReason: 'turn_limit', score: 0 });
    expect((await traces())[0]).toContain('The agent used all of its turns without answering.');
  });
});
