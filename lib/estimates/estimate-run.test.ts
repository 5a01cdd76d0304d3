import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { settingsOf } from '#lib/core/history-of.test-support.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { tuningSettingsOf } from '#lib/core/tuning/simulated-tunings.test-support.ts';
import { type EstimateInput, estimateRun, type PastCalls } from './estimate-run.ts';

const PRACTICE = { provider: 'practice', model: 'practice-1' };
const CASE = { input: 'x'.repeat(400), reference: null, tags: [], metadata: {} };
const SMALL: Partial<ExperimentSettingsInput> = { maxIterations: 2, lessons: { store: 'none' } };

function estimate(settings: Partial<ExperimentSettingsInput>, changes: Partial<EstimateInput> = {}) {
  return estimateRun({
    settings: settingsOf(settings),
    cases: 1,
    repetitions: 1,
    sample: CASE,
    splits: null,
    past: [],
    priceOf: () => 0.001,
    atOnce: 4,
    limits: new Map(),
    practice: false,
    ...changes,
  });
}

/** Returns identical past calls of the practice model. */
function alike(role: PastCalls['role'], input: number, output: number, latencyMs: number): PastCalls {
  const exactly = (mean: number) => ({ mean, deviation: 0, least: mean });
  return {
    role,
    model: PRACTICE,
    basis: 'experiment',
    n: 20,
    requests: 1,
    input: exactly(input),
    output: exactly(output),
    latencyMs: exactly(latencyMs),
  };
}

const KNOWN: PastCalls[] = [
  alike('generate', 100, 50, 1_000),
  alike('evaluate', 200, 20, 500),
  alike('reflect', 300, 30, 700),
  alike('revise', 400, 50, 900),
];

describe('with identical past calls', () => {
  test('estimates the exact minimum and maximum of a run', () => {
    const { calls, tokens, timeMs, costUsd, roles } = estimate(SMALL, { past: KNOWN });
    expect(calls).toEqual({ lowest: 2, highest: 8 });
    // A draft and its judge; then twice a critique, a revision and a judge.
    expect(tokens).toEqual({ lowest: 150 + 220, highest: 150 + 220 + 2 * (330 + 450 + 220) });
    expect(timeMs).toEqual({ lowest: 1_500, highest: 1_500 + 2 * 2_100 });
    expect(costUsd.lowest).toBeCloseTo(0.002, 9);
    expect(costUsd.highest).toBeCloseTo(0.008, 9);
    expect(roles.map(({ role, basis, n }) => [role, basis, n])).toEqual([
      ['generate', 'experiment', 20],
      ['evaluate', 'experiment', 20],
      ['reflect', 'experiment', 20],
      ['revise', 'experiment', 20],
    ]);
  });

  test('repeated requests of past runs raise the highest estimate only', () => {
    const past = KNOWN.map((one) => ({ ...one, requests: one.role === 'revise' ? 2.5 : 1 }));
    const { calls, tokens, roles } = estimate(SMALL, { past });
    expect(calls).toEqual({ lowest: 2, highest: 8 + 3 });
    expect(tokens).toEqual({ lowest: 150 + 220, highest: 150 + 220 + 2 * (330 + 2.5 * 450 + 220) });
    expect(roles.at(-1)?.calls).toEqual({ lowest: 0, highest: 5 });
  });

  test('limits responses to the maximum of their role; revisions use their own setting or that of drafts', () => {
    const limits = { modelSettings: { generate: { maxOutputTokens: 40 }, evaluate: { maxOutputTokens: 5 } } };
    const { tokens } = estimate({ ...SMALL, ...limits }, { past: KNOWN });
    expect(tokens).toEqual({ lowest: 140 + 205, highest: 140 + 205 + 2 * (330 + 440 + 205) });
    const own = estimate({ ...SMALL, ...limits, revision: { maxTokens: 45 } }, { past: KNOWN });
    expect(own.tokens.highest).toBe(tokens.highest + 2 * 5);
  });

  test('multiplies the cost by the number of runs and accounts for queueing', () => {
    const { runs, calls, tokens, timeMs } = estimate(SMALL, { past: KNOWN, cases: 6, repetitions: 2 });
    expect(runs).toBe(12);
    expect(calls).toEqual({ lowest: 24, highest: 96 });
    expect(tokens.lowest).toBe(12 * 370);
    // Four concurrent runs make three rounds.
    expect(timeMs.lowest).toBe(3 * 1_500);
  });

  test.each([
    { name: 'concurrent calls', limit: { maxConcurrency: 1, maxRequestsPerMinute: null }, lowest: 12 * 1_500 },
    { name: 'requests per minute', limit: { maxConcurrency: null, maxRequestsPerMinute: 6 }, lowest: 24 * 10_000 },
  ])('limits the pace if the provider limits $name', ({ limit, lowest }) => {
    const limits = new Map([['practice', limit]]);
    expect(estimate(SMALL, { past: KNOWN, cases: 12, limits }).timeMs.lowest).toBe(lowest);
  });
});

describe('uncertainty', () => {
  const wavering = KNOWN.map((past) => ({ ...past, input: { mean: past.input.mean, deviation: 40, least: 0 } }));

  test('varying past calls widen the range, and many runs narrow it again', () => {
    const width = (cases: number) => {
      const { tokens } = estimate({ ...SMALL, maxIterations: 0 }, { past: wavering, cases });
      return (tokens.highest - tokens.lowest) / cases;
    };
    expect(width(1)).toBeCloseTo(2 * 2 * 2.093 * 40 * Math.sqrt(1 / 20 + 1), -1);
    expect(width(100)).toBeLessThan(width(1) / 3);
  });

  test('a single past call allows half as much again', () => {
    const past = KNOWN.map((one) => ({ ...one, n: 1, input: { mean: one.input.mean, deviation: null, least: 0 } }));
    const { tokens } = estimate({ ...SMALL, maxIterations: 0 }, { past });
    expect(tokens.lowest).toBeLessThan(370);
    expect(tokens.highest).toBeGreaterThan(370);
  });

  test('three past calls widen the range by the quantile of Student’s t', () => {
    const { tokens } = estimate({ ...SMALL, maxIterations: 0 }, { past: wavering.map((one) => ({ ...one, n: 3 })) });
    const mean = wavering.slice(0, 2).reduce((sum, { input, output }) => sum + input.mean + output.mean, 0);
    expect(tokens.highest - mean).toBeCloseTo(2 * 4.303 * 40 * Math.sqrt(1 / 3 + 1), -1);
  });

  test('no mean is below half of the minimum of the past calls', () => {
    const past = KNOWN.map((one) => ({ ...one, latencyMs: { mean: one.latencyMs.mean, deviation: 5_000, least: 10 } }));
    expect(estimate({ ...SMALL, maxIterations: 0 }, { past }).timeMs.lowest).toBe(10);
  });

  test('ignores past calls of another model', () => {
    const past = KNOWN.map((one) => ({ ...one, model: { provider: 'practice', model: 'other' } }));
    expect(estimate(SMALL, { past }).roles.every(({ basis, n }) => basis === 'text' && n === 0)).toBe(true);
  });

  test('uses text lengths without past calls: a longer case costs more', () => {
    const short = estimate(SMALL);
    const long = estimate(SMALL, { sample: { ...CASE, input: 'x'.repeat(40_000) } });
    // 39,600 characters are about 9,900 tokens, sent twice, at 3 to 5 characters per token.
    expect(long.tokens.lowest - short.tokens.lowest).toBeCloseTo((2 * 39_600) / 5, -2);
    expect(long.tokens.highest - short.tokens.highest).toBeGreaterThan((8 * 39_600) / 4);
    expect(short.tokens.lowest).toBeGreaterThan(100);
  });
});

test('reports models without a price and excludes their calls from the cost', () => {
  const judge = { provider: 'local', model: 'judge' };
  const { unpricedModels, costUsd } = estimate(
    { ...SMALL, maxIterations: 0, evaluatorModel: judge, budget: { maxCostUsd: 1 } },
    { priceOf: ({ provider }) => (provider === 'local' ? null : 0.01) },
  );
  expect(unpricedModels).toEqual(['local/judge']);
  expect(costUsd).toEqual({ lowest: 0.01, highest: 0.01 });
});

describe('budgets', () => {
  test.each<{ name: string; budget: ExperimentSettingsInput['budget']; cuts: string; tokens: [number, number] }>([
    { name: 'that is not reached', budget: { maxTokens: 10_000 }, cuts: 'none', tokens: [370, 2_370] },
    { name: 'that long runs reach', budget: { maxTokens: 1_000 }, cuts: 'some', tokens: [370, 1_000] },
    { name: 'that every run reaches', budget: { maxTokens: 185 }, cuts: 'all', tokens: [185, 185] },
    { name: 'of calls', budget: { maxCalls: 4 }, cuts: 'some', tokens: [370, 1_185] },
    { name: 'of cost', budget: { maxCostUsd: 0.002 }, cuts: 'some', tokens: [370, 593] },
    { name: 'of time', budget: { maxSeconds: 2 }, cuts: 'some', tokens: [370, 832] },
  ])('reports a budget $name', ({ budget, cuts, tokens }) => {
    const found = estimate({ ...SMALL, budget }, { past: KNOWN });
    expect(found.budgets).toMatchObject([{ cuts, blind: false }]);
    expect([found.tokens.lowest, found.tokens.highest]).toEqual(tokens);
  });

  test('a cost budget does not apply to calls without a price', () => {
    const found = estimate({ ...SMALL, budget: { maxCostUsd: 0.000001 } }, { priceOf: () => null });
    expect(found.budgets).toEqual([{ budget: 'cost', limit: 0.000001, cuts: 'none', blind: true }]);
  });
});

test('a tuning run counts as one run over all its cases', () => {
  const settings = tuningSettingsOf({ maxIterations: 2 });
  const splits = { train: 6, validation: 4, held_out: 2 };
  const { runs, cases, calls, roles } = estimate({}, { settings, splits, cases: 12 });
  expect({ runs, cases, calls }).toEqual({
    runs: 1,
    cases: 12,
    calls: { lowest: 12, highest: 12 + 2 * (12 + 1 + 8) + 2 * 4 + 4 + 2 * 3 * 4 },
  });
  expect(roles.map(({ role }) => role)).toEqual(['try', 'judge', 'reflect']);
});

test.each([1, 4])(
  'estimates the time of a tuning run with %i concurrent proposals from its sequential calls',
  (proposalsAtOnce) => {
    const settings = tuningSettingsOf({ maxIterations: 4, tune: { proposalsAtOnce } });
    const past = [alike('try', 100, 50, 1_600), alike('judge', 100, 50, 0), alike('reflect', 300, 30, 2_000)];
    const splits = { train: 60, validation: 40, held_out: 20 };
    const { roles, timeMs } = estimate({}, { settings, splits, cases: 120, past });
    const callsOf = (wanted: string) => roles.find(({ role }) => role === wanted)?.calls ?? { lowest: 0, highest: 0 };
    const [tries, proposals] = [callsOf('try'), callsOf('reflect')];
    // 32 tries run concurrently.
    expect(timeMs.lowest).toBe((tries.lowest / 32) * 1_600);
    expect(timeMs.highest).toBe(
      Math.round((tries.highest / 32) * 1_600 + (proposals.highest / proposalsAtOnce) * 2_000),
    );
  },
);

test('the lower bound never exceeds the upper bound for any settings', () => {
  fc.assert(
    fc.property(
      fc.record({
        mode: fc.constantFrom('revise' as const, 'retry' as const),
        maxIterations: fc.integer({ min: 0, max: 50 }),
        maxAttempts: fc.integer({ min: 1, max: 50 }),
        budget: fc.record({
          maxCalls: fc.option(fc.integer({ min: 1, max: 200 })),
          maxTokens: fc.option(fc.integer({ min: 1, max: 100_000 })),
          maxSeconds: fc.option(fc.integer({ min: 1, max: 100 })),
        }),
      }),
      fc.integer({ min: 1, max: 500 }),
      fc.array(fc.constantFrom(...KNOWN), { maxLength: 4 }),
      (settings, cases, past) => {
        const { calls, tokens, costUsd, timeMs } = estimate(settings, { cases, past });
        for (const { lowest, highest } of [calls, tokens, costUsd, timeMs]) {
          expect(lowest).toBeGreaterThanOrEqual(0);
          expect(highest).toBeGreaterThanOrEqual(lowest - 1e-9);
        }
      },
    ),
  );
});

describe('agents', () => {
  const other = { provider: 'local', model: 'small' };
  const workers = [
    { name: 'reader', maxSteps: 3, ...other },
    { name: 'solver', maxSteps: 2 },
    { name: 'checker', ...other },
  ];
  const base = { type: 'supervisor' as const, workers, maxSteps: 4 };
  const team = { ...SMALL, mode: 'retry' as const, maxAttempts: 2, generator: { ...PRACTICE, base } };

  test('counts turns by the model that makes them, at its price', () => {
    const { roles, costUsd, calls } = estimate(team, {
      past: KNOWN,
      priceOf: ({ model }) => (model === 'small' ? 0.01 : 0),
    });
    expect(roles.filter(({ role }) => role === 'turn').map(({ model, calls: turns }) => [model, turns])).toEqual([
      ['practice/practice-1', { lowest: 1, highest: 12 }],
      ['local/small', { lowest: 0, highest: 18 }],
    ]);
    // Turns, judge calls and the lesson in between.
    expect(calls).toEqual({ lowest: 2, highest: 30 + 2 + 1 });
    expect(costUsd.highest).toBeCloseTo(0.18, 9);
  });

  test('assumes a conversation of medium length for a turn without past calls', () => {
    const one = estimate({ ...SMALL, maxIterations: 0 });
    const agent = (maxSteps: number) =>
      estimate({ ...SMALL, maxIterations: 0, generator: { ...PRACTICE, base: { type: 'react', maxSteps } } });
    expect(agent(1).tokens.highest).toBeGreaterThan(one.tokens.highest);
    // Each additional turn also sends the conversation so far.
    expect(agent(20).tokens.highest).toBeGreaterThan(10 * agent(2).tokens.highest);
  });
});
