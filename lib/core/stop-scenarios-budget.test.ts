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
      name: 'stops before the first draft if the draft would exceed it',
      settings: budget({ maxTokens: 100 }),
      versions: [],
      stops: 'token_budget',
      best: null,
      final: null,
      iterations: 0,
    },
    {
      name: 'allows a first draft that fits',
      settings: budget({ maxTokens: 10_000 }),
      versions: [],
      next: { type: 'generate' },
    },
    {
      name: 'allows a revision whose evaluation just fits (300 + 200)',
      settings: budget({ maxTokens: 500 }),
      versions: [CRITIQUED],
      spend: CALL,
      next: { type: 'revise', from: 0 },
    },
    {
      name: 'stops if one token is missing',
      settings: budget({ maxTokens: 499 }),
      versions: [CRITIQUED],
      spend: CALL,
      stops: 'token_budget',
      best: 0,
    },
    {
      name: 'includes the evaluation, although the revision alone would fit',
      settings: budget({ maxTokens: 450 }),
      versions: [CRITIQUED],
      spend: CALL,
      stops: 'token_budget',
      best: 0,
    },
    {
      name: 'allows a critique that just fits (200 + 100)',
      settings: budget({ maxTokens: 300 }),
      versions: [CONTINUED],
      spend: CALL,
      next: { type: 'critique', version: 0, trigger: 'completion' },
    },
    {
      name: 'stops before a critique that does not fit',
      settings: budget({ maxTokens: 299 }),
      versions: [CONTINUED],
      spend: CALL,
      stops: 'token_budget',
      best: 0,
    },
    {
      name: 'stops before the step that continues the loop',
      settings: budget({ maxTokens: 299 }),
      versions: [0.5],
      spend: CALL,
      stops: 'token_budget',
      best: 0,
    },
    {
      name: 'includes failed calls',
      settings: budget({ maxTokens: 500 }),
      versions: [CRITIQUED],
      spend: CALL,
      act: lost,
      stops: 'token_budget',
      best: 0,
    },
    {
      name: 'evaluates an existing version at any cost',
      settings: budget({ maxTokens: 150 }),
      versions: [{ judged: [] }],
      spend: { ...CALL, tokens: 200 },
      next: { type: 'evaluate', version: 0 },
    },
    {
      name: 'stops before a second evaluation that does not fit',
      settings: budget({ maxTokens: 299 }),
      versions: [null],
      spend: CALL,
      stops: 'token_budget',
      best: null,
    },
    {
      name: 'allows a second evaluation that fits',
      settings: budget({ maxTokens: 300 }),
      versions: [null],
      spend: CALL,
      next: { type: 'evaluate', version: 0 },
    },
    {
      name: 'human scores cost nothing and do not lower the estimate',
      settings: budget({ maxTokens: 499 }),
      versions: [{ ...CRITIQUED, judged: [{ score: 0.5 }, { by: 'person', score: 0.6 }] }],
      spend: CALL,
      stops: 'token_budget',
      best: 0,
    },
    {
      name: 'estimates a critique by the output if scoring costs nothing',
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
      name: 'retry mode: stops before a lesson that does not fit',
      settings: { ...budget({ maxTokens: 299 }), mode: 'retry' },
      versions: [CONTINUED],
      spend: CALL,
      stops: 'token_budget',
      best: 0,
    },
    {
      name: 'retry mode: allows an attempt whose evaluation just fits',
      settings: { ...budget({ maxTokens: 500 }), mode: 'retry' },
      versions: [CRITIQUED],
      spend: CALL,
      next: { type: 'attempt', iteration: 1 },
    },
    {
      name: 'retry mode: stops before an attempt whose evaluation does not fit',
      settings: { ...budget({ maxTokens: 499 }), mode: 'retry' },
      versions: [CRITIQUED],
      spend: CALL,
      stops: 'token_budget',
      best: 0,
    },
  ],
  cost_budget: [
    {
      name: 'allows a call that just fits: 0.3 + 0.2 is 0.5',
      settings: budget({ maxCostUsd: 0.5 }),
      versions: [CRITIQUED],
      spend: CALL,
      next: { type: 'revise', from: 0 },
    },
    {
      name: 'allows a call that just fits: 0.2 + 0.1 is 0.3 despite floating-point errors',
      settings: budget({ maxCostUsd: 0.3 }),
      versions: [CONTINUED],
      spend: CALL,
      next: { type: 'critique', version: 0, trigger: 'completion' },
    },
    {
      name: 'stops if a call would exceed it',
      settings: budget({ maxCostUsd: 0.499 }),
      versions: [CRITIQUED],
      spend: CALL,
      stops: 'cost_budget',
      best: 0,
    },
    {
      name: 'stops if a call would exceed it by a millionth of a dollar',
      settings: budget({ maxCostUsd: 0.499999 }),
      versions: [CRITIQUED],
      spend: CALL,
      stops: 'cost_budget',
      best: 0,
    },
    {
      name: 'calls without a known price cost nothing',
      settings: budget({ maxCostUsd: 0.01 }),
      versions: [CRITIQUED],
      spend: { ...CALL, costUsd: null },
      next: { type: 'revise', from: 0 },
    },
  ],
  time_budget: [
    {
      name: 'allows a call that just fits: 30 s and 20 s',
      settings: budget({ maxSeconds: 50 }),
      versions: [CRITIQUED],
      spend: CALL,
      next: { type: 'revise', from: 0 },
    },
    {
      name: 'stops if a call would exceed it',
      settings: budget({ maxSeconds: 49.999 }),
      versions: [CRITIQUED],
      spend: CALL,
      stops: 'time_budget',
      best: 0,
    },
    {
      name: 'excludes days of waiting for a person',
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
      name: 'token budget before cost and time',
      settings: budget({ maxTokens: 1, maxCostUsd: 0.01, maxSeconds: 1 }),
      versions: [CRITIQUED],
      spend: CALL,
      stops: 'token_budget',
      also: ['cost_budget', 'time_budget'],
      best: 0,
    },
    {
      name: 'cost budget before time',
      settings: budget({ maxTokens: 10_000, maxCostUsd: 0.01, maxSeconds: 1 }),
      versions: [CRITIQUED],
      spend: CALL,
      stops: 'cost_budget',
      also: ['time_budget'],
      best: 0,
    },
    {
      name: 'does not apply after a satisfactory version, because no call is due',
      settings: { budget: { maxTokens: 1 } },
      versions: [0.9],
      spend: CALL,
      stops: 'quality_met',
      best: 0,
    },
    {
      name: 'does not apply after a plateau',
      settings: { budget: { maxTokens: 1 } },
      versions: [0.5, 0.5, 0.5],
      spend: CALL,
      stops: 'plateau',
      best: 2,
    },
    {
      name: 'does not apply at the cap',
      settings: { ...budget({ maxTokens: 1 }), maxIterations: 0 },
      versions: [0.5],
      spend: CALL,
      stops: 'max_iterations',
      best: 0,
    },
    {
      name: 'a stop by a person takes precedence',
      settings: budget({ maxTokens: 1 }),
      versions: [0.5],
      spend: CALL,
      act: (history) => decided(history, decisionOf('stop')),
      stops: 'user_stopped',
      also: ['token_budget'],
      best: 0,
    },
    {
      name: 'applies after a person continued past a plateau',
      settings: { budget: { maxTokens: 1 } },
      versions: [0.5, 0.5, CONTINUED],
      spend: CALL,
      stops: 'token_budget',
      best: 2,
    },
    {
      name: 'keeps a best version other than the last',
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
      name: 'before_finish: pauses with the stop reason',
      settings: { ...budget({ maxTokens: 1 }), callbacks: { pause: 'before_finish' } },
      versions: [0.5],
      spend: CALL,
      next: { type: 'wait', version: 0, wouldStopAs: 'token_budget' },
    },
    {
      name: 'before_finish: continue does not raise the budget',
      settings: { ...budget({ maxTokens: 1 }), callbacks: { pause: 'before_finish' } },
      versions: [CONTINUED],
      spend: CALL,
      stops: 'token_budget',
      best: 0,
    },
    {
      name: 'before_revision: does not pause, because no revision follows',
      settings: { ...budget({ maxTokens: 1 }), callbacks: { pause: 'before_revision' } },
      versions: [0.5],
      spend: CALL,
      stops: 'token_budget',
      best: 0,
    },
    {
      name: 'always: pauses with the stop reason',
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
