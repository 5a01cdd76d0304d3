import { z } from 'zod';
import { integerBetween, numberBetween } from './setting-parts.ts';

/** The budgets of one run; null for none. */
const runBudgetShape = {
  /** Calls of models, those that failed included. */
  maxCalls: integerBetween(1, 100_000_000).nullable(),
  maxTokens: integerBetween(1, 1_000_000_000).nullable(),
  maxCostUsd: numberBetween(0.000001, 1_000_000).nullable(),
  maxSeconds: numberBetween(1, 31_536_000).nullable(),
};

/** The `budget` of an experiment's settings. */
export const budgetSchema = z.strictObject({
  maxCalls: runBudgetShape.maxCalls.default(null).describe('Most model calls of a run, including failed ones.'),
  maxTokens: runBudgetShape.maxTokens.default(null).describe('Most tokens of a run.'),
  maxCostUsd: runBudgetShape.maxCostUsd.default(null).describe('Highest cost of a run in USD.'),
  maxSeconds: runBudgetShape.maxSeconds.default(null).describe('Longest working time of a run in seconds.'),
  maxExperimentCostUsd: numberBetween(0.000001, 10_000_000)
    .nullable()
    .default(null)
    .describe('Highest cost of all runs of the experiment in USD.'),
  maxExperimentTokens: integerBetween(1, 1_000_000_000_000)
    .nullable()
    .default(null)
    .describe('Most tokens of all runs of the experiment.'),
});

/**
 * What a run goes by in place of its settings: its budgets and, if it tunes a prompt, how many proposals it may make and on how many cases
 * it may try prompts. What is left out stays as in the settings.
 */
export const runLimitsSchema = z.strictObject({
  ...runBudgetShape,
  maxIterations: integerBetween(0, 50).optional().describe('Most proposals of a tuning run.'),
  maxTries: integerBetween(1, 1_000_000)
    .nullable()
    .optional()
    .describe('Most cases that a tuning run tries prompts on. Null: no limit.'),
});
export type RunLimits = z.infer<typeof runLimitsSchema>;
export type RunBudget = Pick<RunLimits, keyof typeof runBudgetShape>;

type Limited = { budget: z.infer<typeof budgetSchema>; maxIterations: number; tune: { maxTries: number | null } };

/** Settings with a run's own limits in place of theirs; null leaves them as they are. */
export function withLimits<Settings extends Limited>(settings: Settings, own: RunLimits | null): Settings {
  if (own === null) return settings;
  const { maxIterations = settings.maxIterations, maxTries = settings.tune.maxTries, ...budget } = own;
  return {
    ...settings,
    maxIterations,
    tune: { ...settings.tune, maxTries },
    budget: { ...settings.budget, ...budget },
  };
}

/** The limits of one run, out of its settings. Only a tuning run has those of proposals and tries. */
export function runLimitsOf({ mode, budget, maxIterations, tune }: Limited & { mode: string }): RunLimits {
  const { maxCalls, maxTokens, maxCostUsd, maxSeconds } = budget;
  const own = { maxCalls, maxTokens, maxCostUsd, maxSeconds };
  return mode === 'tune' ? { ...own, maxIterations, maxTries: tune.maxTries } : own;
}
