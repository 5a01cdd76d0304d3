import { z } from 'zod';

/**
 * What a criterion said of an output it was tried on. `score` from 0 to 1, null when it could not be scored (then `reason` says
 * why); `feedback` is what models would be told, `detail` is for people only. `costUsd` is null where no price is known.
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
