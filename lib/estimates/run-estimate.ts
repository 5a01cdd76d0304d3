import { z } from 'zod';
import { settingsWarningSchema } from './settings-contradictions.ts';

/** Range from the minimum to the approximate maximum, both over all runs. */
const rangeSchema = z.object({ lowest: z.number().min(0), highest: z.number().min(0) });
export type Range = z.infer<typeof rangeSchema>;

/** Source of an estimate of a role's calls: calls of the experiment, other calls of the model, or text lengths. */
const ESTIMATE_BASES = ['experiment', 'model', 'text'] as const;
export type EstimateBasis = (typeof ESTIMATE_BASES)[number];

const ESTIMATED_BUDGETS = ['calls', 'tokens', 'cost', 'time'] as const;

/** Estimated use of runs before they start. */
export const runEstimateSchema = z.object({
  runs: z.int().min(0),
  cases: z.int().min(0),
  calls: rangeSchema.meta({
    description: 'Model calls. Lowest: every first version passes. Highest: every run reaches its cap.',
  }),
  tokens: rangeSchema.meta({ description: 'Input and output.' }),
  costUsd: rangeSchema.meta({ description: 'Of the calls whose model has a price.' }),
  unpricedModels: z.array(z.string()).meta({ description: 'Models without a known price, as provider/model.' }),
  timeMs: rangeSchema.meta({
    description: 'From start to end, if nothing else is running. Does not include time spent waiting for people.',
  }),
  roles: z
    .array(
      z.object({
        role: z.string(),
        model: z.string().meta({ description: 'provider/model' }),
        calls: rangeSchema,
        basis: z
          .enum(ESTIMATE_BASES)
          .meta({ description: 'Past calls of the experiment, of the model anywhere, or the lengths of texts.' }),
        n: z.int().min(0).meta({ description: 'Number of past calls in the estimate.' }),
      }),
    )
    .meta({ description: 'What the estimate of each role is based on.' }),
  budgets: z
    .array(
      z.object({
        budget: z.enum(ESTIMATED_BUDGETS),
        limit: z.number().meta({ description: 'Of one run: calls, tokens, US dollars or seconds.' }),
        cuts: z.enum(['none', 'some', 'all']).meta({
          description:
            'Whether the budget would end runs early: some runs, or all if even the shortest would exceed it.',
        }),
        blind: z
          .boolean()
          .meta({ description: 'True for a cost budget that ignores some calls, because their model has no price.' }),
      }),
    )
    .meta({ description: 'The budgets of a run that are set.' }),
  warnings: z
    .array(settingsWarningSchema)
    .default([])
    .meta({ description: 'Settings that prevent each other from having an effect. Runs can still start.' }),
  practice: z.boolean().meta({ description: 'At least one role uses the practice model, whose prices are made up.' }),
});
export type RunEstimate = z.infer<typeof runEstimateSchema>;
