import { z } from 'zod';
import { integerBetween, numberBetween } from './setting-parts.ts';

/** Budgets of one run. Null means unlimited. */
const runBudgetShape = {
  /** Maximum number of model calls, including failed ones. */
  maxCalls: integerBetween(1, 100_000_000).nullable(),
  maxTokens: integerBetween(1, 1_000_000_000).nullable(),
  maxCostUsd: numberBetween(0.000001, 1_000_000).nullable(),
  maxSeconds: numberBetween(1, 31_536_000).nullable(),
};

/** The `budget` of an experiment's settings. */
export const budgetSchema = z.strictObject({
  maxCalls: runBudgetShape.maxCalls
    .default(null)
    .describe('Maximum number of model calls of a run, including failed calls. Null: no limit.'),
  maxTokens: runBudgetShape.maxTokens.default(null).describe('Maximum number of tokens of a run.'),
  maxCostUsd: runBudgetShape.maxCostUsd.default(null).describe('Highest cost of a run in USD.'),
  maxSeconds: runBudgetShape.maxSeconds
    .default(null)
    .describe('Maximum working time of a run in seconds, without the time that it waits for people. Null: no limit.'),
  maxExperimentCostUsd: numberBetween(0.000001, 10_000_000)
    .nullable()
    .default(null)
    .describe('Highest cost of all runs of the experiment in USD.'),
  maxExperimentTokens: integerBetween(1, 1_000_000_000_000)
    .nullable()
    .default(null)
    .describe('Maximum number of tokens of all runs of the experiment.'),
});

/**
 * Limits of one run, which override its settings: budgets and, for a tuning run, the most proposals and the most cases to test prompts
 * on. Omitted limits come from the settings.
 */
export const runLimitsSchema = z.strictObject({
  ...runBudgetShape,
  maxIterations: integerBetween(0, 50).optional().describe('Maximum number of proposals of a tuning run.'),
  maxTries: integerBetween(1, 1_000_000)
    .nullable()
    .optional()
    .describe('Maximum number of cases that a tuning run tries prompts on. Null: no limit.'),
});
export type RunLimits = z.infer<typeof runLimitsSchema>;

/** The settings that run limits can override. */
export type Limited = {
  budget: z.infer<typeof budgetSchema>;
  maxIterations: number;
  tune: { maxTries: number | null };
};

/** Returns the settings with the limits of a run applied. Null changes nothing. */
export function withLimits<Settings extends Limited>(settings: Settings, limits: RunLimits | null): Settings {
  if (limits === null) return settings;
  const { maxIterations = settings.maxIterations, maxTries = settings.tune.maxTries, ...budget } = limits;
  return {
    ...settings,
    maxIterations,
    tune: { ...settings.tune, maxTries },
    budget: { ...settings.budget, ...budget },
  };
}
