import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { spendOfRun } from '#lib/core/spend.ts';
import { candidateState } from '#lib/core/tuning/candidate-state.ts';
import { TRIES_AT_A_TIME } from '#lib/core/tuning/perform-tries.ts';
import { listModelCalls } from '#lib/runs/list-model-calls.test-support.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import {
  CALL_COST_USD,
  CALL_TOKENS,
  casesNamed,
  performedTuning,
  promptKnowing,
  scriptedTuner,
  TUNED_CASES,
  triedOn,
  tuningSettings,
} from './tuning-run.test-support.ts';

const db = useTestDatabase();
async function tuned(
  changes: Partial<ExperimentSettingsInput>,
  proposals: string[],
  cases = TUNED_CASES,
  latencyMs = 0,
) {
  const tuner = scriptedTuner(proposals, latencyMs === 0 ? undefined : () => sleep(latencyMs, null));
  const { load, ...made } = await performedTuning(db.database(), tuningSettings(changes), tuner, cases);
  const stored = await load();
  const states = stored.history.versions.map((version) => candidateState(stored.history, stored.settings, version));
  return { ...made, states, ...stored };
}

describe('a tuning run in the worker', () => {
  test('evaluates and validates a proposal, accepts it and compares it with the first prompt on held-out cases', async () => {
    const all = ['a', 'b', 'c', 'p', 'q', 'x'];
    const { run, history, tuner, states } = await tuned({ tune: { maxRepeats: 1 } }, [promptKnowing(...all)]);
    expect(run).toMatchObject({
      status: 'finished',
      convergenceReason: 'quality_met',
      finalVersion: 1,
      success: true,
    });
    expect(states).toEqual(['given', 'candidate']);
    expect(history.evaluations.map(({ version, overallScore }) => [version, overallScore])).toEqual([
      [0, 0],
      [1, 1],
    ]);
    expect(triedOn(tuner.asked, '')).toEqual(['a', 'b', 'c', 'p', 'q', 'x', 'y']);
    expect(triedOn(tuner.asked, ...all)).toEqual(['a', 'b', 'c', 'p', 'q', 'x', 'y']);
    expect(tuner.asked).toHaveLength(15);
  });

  test('tries worked examples of solved training cases on request, and drops them if they do not help', async () => {
    const given = promptKnowing('a', 'b');
    const { history, states } = await tuned(
      { prompts: { generate: given }, tune: { demonstrations: 2, minibatchSize: 3 }, maxIterations: 2 },
      [promptKnowing('a', 'b', 'c', 'd', 'p', 'q')],
      [...casesNamed('train', 'a', 'b', 'c', 'd'), ...casesNamed('validation', 'p', 'q')],
    );
    const at = history.versions.findIndex(({ proposal }) => proposal?.demonstrations !== undefined);
    expect(history.versions[at]).toMatchObject({ costUsd: 0, proposal: { demonstrations: [0, 1], problems: [] } });
    expect(history.versions[at]?.output).toContain('<input>\na\n</input>\n<output>\nyes\n</output>');
    expect(states[at]).toBe('rejected');
    expect(history.tries.flatMap((one) => (one.version === at ? [one.position] : []))).not.toContain(4);
  });

  test('stores the totals of its calls in its row, history and journal', async () => {
    const { run, history, tuner, runId } = await tuned({ maxIterations: 1 }, [promptKnowing('a', 'p')]);
    const journal = await listModelCalls(db.database(), runId);
    expect(journal).toHaveLength(tuner.asked.length);
    expect(run.callCount).toBe(tuner.asked.length);
    expect(history.calls).toBe(tuner.asked.length);
    expect(run.costUsd).toBeCloseTo(CALL_COST_USD * tuner.asked.length);
    expect(spendOfRun(history).costUsd).toBeCloseTo(run.costUsd);
    expect(history.lostSpend.tokenUsage.total).toBe(0);
  });

  test.each<['strict' | 'not_worse', string[], string]>([
    ['strict', ['given', 'rejected', 'candidate'], 'max_iterations'],
    ['not_worse', ['given', 'candidate', 'candidate'], 'max_iterations'],
  ])('%s: a proposal with an equal score on its minibatch', async (acceptance, expected, reason) => {
    const { states, run, tuner, history } = await tuned({ tune: { acceptance }, maxIterations: 2 }, [
      promptKnowing('p'),
      promptKnowing('a', 'p'),
    ]);
    expect(states).toEqual(expected);
    expect(run.convergenceReason).toBe(reason);
    const isRejected = acceptance === 'strict';
    // A rejected proposal is not validated, so it has no score instead of 0.
    expect(triedOn(tuner.asked, 'p').filter((name) => name === 'p')).toHaveLength(isRejected ? 0 : 1);
    expect(history.evaluations.some(({ version }) => version === 1)).toBe(!isRejected);
  });

  test.each<['pareto' | 'pareto_hybrid' | 'best', number[]]>([
    ['pareto', [1, 2]],
    ['pareto_hybrid', [1, 2]],
    ['best', [2]],
  ])('%s: candidates that lead on different cases become parents', async (selection, expected) => {
    const left = promptKnowing('a', 'p');
    const right = promptKnowing('a', 'q', 'b');
    const worthless = Array.from({ length: 16 }, (_, at) => promptKnowing(`worthless${at}`));
    const { history, states } = await tuned({ tune: { selection, minibatchSize: 3, seed: 1 }, maxIterations: 12 }, [
      left,
      right,
      ...worthless,
    ]);
    expect(states.slice(0, 3)).toEqual(['given', 'candidate', 'candidate']);
    const parents = history.versions.slice(3).flatMap(({ parents: [parent] }) => parent ?? []);
    expect([...new Set(parents)].toSorted()).toEqual(expected);
  });
});

describe('budgets of a tuning run', () => {
  const many = [...casesNamed('train', 'a', 'b', 'c'), ...casesNamed('validation', ...letters('v', 20))];

  test.each<[string, ExperimentSettingsInput['budget'], number, string]>([
    ['calls', { maxCalls: 13 }, 13, 'call_budget'],
    ['tokens', { maxTokens: CALL_TOKENS * 13 }, 13, 'token_budget'],
    ['cost', { maxCostUsd: CALL_COST_USD * 13 }, 13, 'cost_budget'],
  ])('%s: the calls stay within the budget plus those in flight', async (_name, budget, most, reason) => {
    const { run, tuner } = await tuned({ budget }, [], many, 50);
    expect(run).toMatchObject({ status: 'finished', convergenceReason: reason, success: false });
    expect(tuner.most()).toBeGreaterThan(2);
    expect(tuner.most()).toBeLessThanOrEqual(TRIES_AT_A_TIME);
    expect(tuner.asked.length).toBeLessThanOrEqual(most + tuner.most() - 1);
    expect(tuner.asked.length).toBeGreaterThan(most - 3);
    expect(run.callCount).toBe(tuner.asked.length);
  });

  test('a cost budget below the price of two cases pays for one', async () => {
    const { run, tuner } = await tuned({ budget: { maxCostUsd: 1e-6 } }, [], many);
    expect(run).toMatchObject({ status: 'finished', convergenceReason: 'cost_budget' });
    expect(tuner.asked).toHaveLength(1);
  });
});

function letters(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${prefix}${at}`);
}
