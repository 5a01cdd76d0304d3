import { expect, test } from 'vitest';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { tuningSettingsOf } from '#lib/core/tuning/simulated-tunings.test-support.ts';
import { callsOfRun, callsOfTuning, type SplitCounts } from './calls-of-run.ts';

const COUNTS: SplitCounts = { train: 6, validation: 4, held_out: 2 };
const FIXED: ExperimentSettingsInput['criteria'] = [{ name: 'a', evaluator: 'reference', config: { match: 'exact' } }];
const COMPONENTS: Partial<ExperimentSettingsInput> = {
  prompts: {},
  generator: {
    provider: 'app',
    model: '(target)',
    target: { name: 'app', components: { planner: 'P0', writer: 'W0' }, tuned: ['planner', 'writer'] },
  },
  criteria: FIXED,
};

test.each<{ name: string; changes: Partial<ExperimentSettingsInput>; counts?: SplitCounts; range: [number, number] }>([
  {
    // 4 + 2 cases; two proposals of 3 tries twice, 1 call and 4 validation tries; 2 new validation cases; 2 held-out cases for the best,
    // and 3 more tries of both prompts on them.
    name: 'one call per case',
    changes: { maxIterations: 2, criteria: FIXED },
    range: [6, 6 + 2 * (6 + 1 + 4) + 2 * 2 + 2 + 2 * 3 * 2],
  },
  {
    // 45 cases form 3 groups, so a proposal takes 4 calls; the remaining 5 cases may join the validation set.
    name: 'diagnoses for many cases',
    changes: { maxIterations: 2, criteria: FIXED, tune: { minibatchSize: 45 } },
    counts: { train: 50, validation: 4, held_out: 2 },
    range: [6, 6 + 2 * (90 + 4 + 4) + 2 * 2 + 2 + 2 * 3 * 2],
  },
  {
    name: 'embeddings for lesson recall',
    changes: {
      ...{ maxIterations: 2, criteria: FIXED },
      lessons: { embeddings: { provider: 'vectors', model: 'small' } },
    },
    range: [6, 6 + 2 * (6 + 1 + 4) + 2 + 2 * 2 + 2 + 2 * 3 * 2],
  },
  {
    // At least one call per case, at most all turns of the agent.
    name: 'an agent',
    changes: {
      ...{ maxIterations: 2, criteria: FIXED },
      generator: { provider: 'p', model: 'm', base: { type: 'react', maxSteps: 5 } },
    },
    range: [6, 5 * 6 + 2 * (5 * 6 + 1 + 5 * 4) + 5 * (2 * 2 + 2 + 2 * 3 * 2)],
  },
  {
    name: 'a judge call per case',
    changes: { maxIterations: 2 },
    range: [12, 12 + 2 * (12 + 1 + 8) + 2 * 4 + 4 + 2 * 3 * 4],
  },
  {
    name: 'a generated first prompt',
    changes: { maxIterations: 0, criteria: FIXED, prompts: { generate: null }, tune: { task: 'Sort it.' } },
    range: [7, 7],
  },
  {
    // Each of 5 merges: both candidates and the merge on 4 cases, 4 validation tries, and 2 new validation cases.
    name: 'merges of components',
    changes: { ...COMPONENTS, maxIterations: 2 },
    range: [6, 6 + 2 * (6 + 1 + 4) + 5 * (3 * 4 + 4) + (2 + 5) * 2 + 2 + 2 * 3 * 2],
  },
  {
    // 6 + 6 training cases to solve and 4 validation tries per set; the held-out cases as usual.
    name: 'drawn examples',
    changes: { maxIterations: 2, criteria: FIXED, tune: { strategy: 'few_shot' } },
    range: [6, 6 + 6 + 2 * 4 + 2 + 2 * 3 * 2],
  },
  {
    // The same, plus a variation and its parent on 3 cases each time.
    name: 'drawn examples and a parameter search',
    changes: {
      ...{ maxIterations: 2, criteria: FIXED },
      tune: { strategy: 'few_shot', parameters: { temperatures: [0.2, 0.8] } },
    },
    range: [6, 6 + 6 + 2 * (6 + 4) + 2 + 2 * 3 * 2],
  },
  {
    name: 'no combinations if proposals are made one at a time',
    changes: { maxIterations: 2, criteria: FIXED, tune: { strategy: 'pairwise', proposalsAtOnce: 4 } },
    range: [6, 6 + 2 * (6 + 1 + 4) + 2 * 2 + 2 + 2 * 3 * 2],
  },
  { name: 'no proposals', changes: { maxIterations: 0, criteria: FIXED }, range: [6, 6] },
  {
    name: 'validated on the training cases',
    changes: { maxIterations: 1, criteria: FIXED },
    counts: { train: 2, validation: 0, held_out: 0 },
    range: [2, 2 + 4 + 1 + 2],
  },
  { name: 'a budget', changes: { maxIterations: 2, criteria: FIXED, budget: { maxCalls: 10 } }, range: [6, 10] },
])('$name', ({ changes, counts = COUNTS, range: [lowest, highest] }) => {
  expect(callsOfTuning(tuningSettingsOf(changes), counts)).toEqual({ lowest, highest });
});

test('refuses to estimate the calls of a tuning run without its cases', () => {
  expect(() => callsOfRun(tuningSettingsOf())).toThrow('depend on its cases');
});
