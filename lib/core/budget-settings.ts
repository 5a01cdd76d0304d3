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

/** The budgets that a run goes by in place of its settings' ones. */
export const runBudgetSchema = z.strictObject(runBudgetShape);
export type RunBudget = z.infer<typeof runBudgetSchema>;

/** Settings with a run's own budgets in place of theirs; null leaves them as they are. */
export function withBudget<Settings extends { budget: z.infer<typeof budgetSchema> }>(
  settings: Settings,
  own: RunBudget | null,
): Settings {
  return own === null ? settings : { ...settings, budget: { ...settings.budget, ...own } };
}

/** The budgets of one run, out of those of its settings. */
export function runBudgetOf({ maxCalls, maxTokens, maxCostUsd, maxSeconds }: z.infer<typeof budgetSchema>): RunBudget {
  return { maxCalls, maxTokens, maxCostUsd, maxSeconds };
}
