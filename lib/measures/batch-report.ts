import { z } from 'zod';

/** What a batch came to. `solvedByIteration[k]` counts the cases solved by version k or earlier (cumulative), `currentByIteration[k]` those whose version k, or last before it, is satisfactory. */
export const batchReportSchema = z.object({
  total: z.int(),
  ended: z.int(),
  solved: z.int(),
  solvedByIteration: z.array(z.int()),
  currentByIteration: z.array(z.int()),
  stopReasons: z.record(z.string(), z.int()),
  tokenUsage: z.object({ input: z.int(), output: z.int(), total: z.int() }),
  costUsd: z.number(),
  unpriced: z.boolean(),
  firstScore: z.object({ mean: z.number(), n: z.int() }).nullable(),
  bestScore: z.object({ mean: z.number(), n: z.int() }).nullable(),
});
export type BatchReport = z.infer<typeof batchReportSchema>;
