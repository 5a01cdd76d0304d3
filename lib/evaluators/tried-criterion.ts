import { z } from 'zod';

/**
 * Result of testing a criterion on an output. `score` is from 0 to 1, or null if it could not be scored. `reason` then contains the cause.
 * `feedback` is the text for models, `detail` is for people only. `costUsd` is null if no price is known.
 */
export const triedCriterionSchema = z.object({
  score: z.number().nullable(),
  passed: z.boolean(),
  reason: z.string(),
  issues: z.array(z.string()),
  suggestions: z.array(z.string()),
  confidence: z.number().nullable(),
  feedback: z.string(),
  detail: z.string(),
  tokenUsage: z.object({ input: z.number(), output: z.number(), total: z.number() }),
  costUsd: z.number().nullable(),
  durationMs: z.number(),
});
export type TriedCriterion = z.infer<typeof triedCriterionSchema>;
