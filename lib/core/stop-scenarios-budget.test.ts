import { describe, expect, test } from 'vitest';
import type { History } from './history.ts';
import { decided, decisionOf } from './history-of.test-support.ts';
import { answerTo, expectationOf, type Scenario } from './scenario.test-support.ts';
import type { ExperimentSettingsInput } from './settings.ts';

/** Every call in these scenarios costs the same, so a version with its evaluation costs two calls. */
const CALL = { tokens: 100, costUsd: 0.1, durationMs: 10_000 };
const CRITIQUED = { score: 0.5, continued: true, critiqued: true };
const CONTINUED = { score: 0.5, continued: true };

function budget(limits: NonNullable<ExperimentSettingsInput['budget']>): Partial<ExperimentSettingsInput> {
  return { budget: limits, convergence: null };
}

const lost = (history: History): History => ({
  ...history,
  lostSpend: { tokenUsage: { input: 100, output: 0, total: 100 }, costUsd: 0.1, durationMs: 0 },
});

const groups: Record<string, Scenario[]> = {
  token_budget: [
    {
      name: 'the first draft would pass it: nothing is asked',
      settings: budget({ maxTokens: 100 }),
      versions: [],
      stops: 'token_budget',
      best: null,
      final: null,
      iterations: 0,
    },
    {
      name: 'room for a first draft',
      settings: budget({ maxTokens: 10_000 }),
      versions: [],
      next: { type: 'generate' },
    },
    {
      name: 'a revision and its evaluation just fit (300 + 200)',
      settings: budget({ maxTokens: 500 }),
      versions: [CRITIQUED],
      spend: CALL,
      next: { type: 'revise', from: 0 },
    },
    {
      name: 'one token too many',
      settings: budget({ maxTokens: 499 }),
      versions: [CRITIQUED],
      spend: CALL,
      stops: 'token_budget',
      best: 0,
    },
    {
      name: 'the evaluation counts: the revision alone would fit',
      settings: budget({ maxTokens: 450 }),
      versions: [CRITIQUED],
      spend: CALL,
      stops: 'token_budget',
      best: 0,
    },
    {
      name: 'a critique just fits (200 + 100)',
      settings: budget({ maxTokens: 300 }),
      versions: [CONTINUED],
      spend: CALL,
      next: { type: 'critique', version: 0, trigger: 'completion' },
    },
    {
      name: 'a critique does not fit',
      settings: budget({ maxTokens: 299 }),
      versions: [CONTINUED],
      spend: CALL,
      stops: 'token_budget',
      best: 0,
    },
    {
      name: 'held before it is said that the loop goes on',
      settings: budget({ maxTokens: 299 }),
      versions: [0.5],
      spend: CALL,
      stops: 'token_budget',
      best: 0,
    },
    {
      name: 'failed calls count',
      settings: budget({ maxTokens: 500 }),
      versions: [CRITIQUED],
      spend: CALL,
      act: lost,
      stops: 'token_budget',
      best: 0,
    },
    {
      name: 'a version that was made is evaluated, whatever it cost',
      settings: budget({ maxTokens: 150 }),
      versions: [{ judged: [] }],
      spend: { ...CALL, tokens: 200 },
      next: { type: 'evaluate', version: 0 },
    },
    {
      name: 'a second evaluation is one more call',
      settings: budget({ maxTokens: 299 }),
      versions: [null],
      spend: CALL,
      stops: 'token_budget',
      best: null,
    },
    {
      name: 'a second evaluation that fits',
      settings: budget({ maxTokens: 300 }),
      versions: [null],
      spend: CALL,
      next: { type: 'evaluate', version: 0 },
    },
    {
      name: "a person's score costs nothing and does not cheapen the estimate",
      settings: budget({ maxTokens: 499 }),
      versions: [{ ...CRITIQUED, judged: [{ score: 0.5 }, { by: 'person', score: 0.6 }] }],
      spend: CALL,
      stops: 'token_budget',
      best: 0,
    },
    {
      name: 'a critique is estimated by the output where judging costs nothing',
      settings: {
        ...budget({ maxTokens: 150 }),
        criteria: [{ name: 'quality', threshold: 0, evaluator: 'regex', config: { pattern: 'x' } }],
      },
      versions: [0.5],
      spend: CALL,
      act: (history) => ({
        ...history,
        evaluations: history.evaluations.map((one) => ({ ...one, tokenUsage: { input: 0, output: 0, total: 0 } })),
      }),
      stops: 'token_budget',
      best: 0,
    },
    {
      name: 'retry mode: a lesson does not fit',
      settings: { ...budget({ maxTokens: 299 }), mode: 'retry' },
      versions: [CONTINUED],
      spend: CALL,
      stops: 'token_budget',
      best: 0,
    },
    {
      name: 'retry mode: an attempt and its evaluation just fit',
      settings: { ...budget({ maxTokens: 500 }), mode: 'retry' },
      versions: [CRITIQUED],
      spend: CALL,
      next: { type: 'attempt', iteration: 1 },
    },
    {
      name: 'retry mode: they do not fit',
      settings: { ...budget({ maxTokens: 499 }), mode: 'retry' },
      versions: [CRITIQUED],
      spend: CALL,
      stops: 'token_budget',
      best: 0,
    },
  ],
  cost_budget: [
    {
      name: 'just fits: 0.3 + 0.2 is 0.5',
      settings: budget({ maxCostUsd: 0.5 }),
      versions: [CRITIQUED],
      spend: CALL,
      next: { type: 'revise', from: 0 },
    },
    {
      name: 'just fits: 0.2 + 0.1 is 0.3, whatever floating point says',
      settings: budget({ maxCostUsd: 0.3 }),
      versions: [CONTINUED],
      spend: CALL,
      next: { type: 'critique', version: 0, trigger: 'completion' },
    },
    {
      name: 'would pass it',
      settings: budget({ maxCostUsd: 0.499 }),
      versions: [CRITIQUED],
      spend: CALL,
      stops: 'cost_budget',
      best: 0,
    },
    {
      name: 'would pass it by a millionth of a dollar',
      settings: budget({ maxCostUsd: 0.499999 }),
      versions: [CRITIQUED],
      spend: CALL,
      stops: 'cost_budget',
      best: 0,
    },
    {
      name: 'calls without a known price count nothing',
      settings: budget({ maxCostUsd: 0.01 }),
      versions: [CRITIQUED],
      spend: { ...CALL, costUsd: null },
      next: { type: 'revise', from: 0 },
    },
  ],
  time_budget: [
    {
      name: 'just fits: 30 s and 20 s',
      settings: budget({ maxSeconds: 50 }),
      versions: [CRITIQUED],
      spend: CALL,
      next: { type: 'revise', from: 0 },
    },
    {
      name: 'would pass it',
      settings: budget({ maxSeconds: 49.999 }),
      versions: [CRITIQUED],
      spend: CALL,
      stops: 'time_budget',
      best: 0,
    },
    {
      name: 'days of waiting for a person do not count',
      settings: budget({ maxSeconds: 50 }),
      versions: [CRITIQUED],
      spend: CALL,
      act: (history) => ({
        ...history,
        versions: history.versions.map((one) => ({ ...one, createdAt: '2025-01-01T00:00:00.000Z' })),
      }),
      next: { type: 'revise', from: 0 },
    },
  ],
  'the order of the budgets, and other rules': [
    {
      name: 'all three',
      settings: budget({ maxTokens: 1, maxCostUsd: 0.01, maxSeconds: 1 }),
      versions: [CRITIQUED],
      spend: CALL,
      stops: 'token_budget',
      also: ['cost_budget', 'time_budget'],
      best: 0,
    },
    {
      name: 'cost and time',
      settings: budget({ maxTokens: 10_000, maxCostUsd: 0.01, maxSeconds: 1 }),
      versions: [CRITIQUED],
      spend: CALL,
      stops: 'cost_budget',
      also: ['time_budget'],
      best: 0,
    },
    {
      name: 'no other call is due after a good version',
      settings: { budget: { maxTokens: 1 } },
      versions: [0.9],
      spend: CALL,
      stops: 'quality_met',
      best: 0,
    },
    {
      name: 'nor after a plateau',
      settings: { budget: { maxTokens: 1 } },
      versions: [0.5, 0.5, 0.5],
      spend: CALL,
      stops: 'plateau',
      best: 2,
    },
    {
      name: 'nor at the cap',
      settings: { ...budget({ maxTokens: 1 }), maxIterations: 0 },
      versions: [0.5],
      spend: CALL,
      stops: 'max_iterations',
      best: 0,
    },
    {
      name: 'a person who stops the run comes first',
      settings: budget({ maxTokens: 1 }),
      versions: [0.5],
      spend: CALL,
      act: (history) => decided(history, decisionOf('stop')),
      stops: 'user_stopped',
      also: ['token_budget'],
      best: 0,
    },
    {
      name: 'a plateau that a person went on from',
      settings: { budget: { maxTokens: 1 } },
      versions: [0.5, 0.5, CONTINUED],
      spend: CALL,
      stops: 'token_budget',
      best: 2,
    },
    {
      name: 'a best version other than the last',
      settings: budget({ maxTokens: 1 }),
      versions: [0.6, 0.5],
      spend: CALL,
      stops: 'token_budget',
      best: 0,
      final: 1,
    },
  ],
  'pauses and budgets': [
    {
      name: 'before_finish: a person is asked, and told why it would stop',
      settings: { ...budget({ maxTokens: 1 }), callbacks: { pause: 'before_finish' } },
      versions: [0.5],
      spend: CALL,
      next: { type: 'wait', version: 0, wouldStopAs: 'token_budget' },
    },
    {
      name: 'before_finish: to go on does not raise the budget',
      settings: { ...budget({ maxTokens: 1 }), callbacks: { pause: 'before_finish' } },
      versions: [CONTINUED],
      spend: CALL,
      stops: 'token_budget',
      best: 0,
    },
    {
      name: 'before_revision: nobody is asked for a revision that will not be',
      settings: { ...budget({ maxTokens: 1 }), callbacks: { pause: 'before_revision' } },
      versions: [0.5],
      spend: CALL,
      stops: 'token_budget',
      best: 0,
    },
    {
      name: 'always',
      settings: { ...budget({ maxTokens: 1 }), callbacks: { pause: 'always' } },
      versions: [0.5],
      spend: CALL,
      next: { type: 'wait', version: 0, wouldStopAs: 'token_budget' },
    },
  ],
};

describe.each(Object.entries(groups))('%s', (_name, scenarios) => {
  test.each(scenarios)('$name', (scenario) => {
    expect(answerTo(scenario)).toMatchObject(expectationOf(scenario));
  });
});
