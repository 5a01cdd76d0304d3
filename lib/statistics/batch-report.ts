import { z } from 'zod';

const interval = { low: z.number().min(0).max(1), share: z.number().min(0).max(1), high: z.number().min(0).max(1) };
const solvedBy = z.object({ solved: z.int().min(0), ...interval });

/** One point of a batch's solve curve: how many runs were solved by this version (`ever`), and how many stand solved at it (`current`), with 95 % intervals. */
export const batchCurvePointSchema = z.object({
  version: z.int().min(0),
  n: z.int().min(1),
  ever: solvedBy,
  current: solvedBy,
});

/** What a batch came to. `solvedByIteration[k]` counts the runs solved by version k or earlier (cumulative), `currentByIteration[k]` those whose version k, or last before it, is satisfactory. */
export const batchReportSchema = z.object({
  total: z.int(),
  cases: z.int().meta({ description: 'Different cases among the runs.' }),
  ended: z.int(),
  unscored: z.int().meta({
    description:
      'Ended runs of which nothing was scored: they count neither as solved nor as not, and in no share or mean.',
  }),
  solved: z.int(),
  solvedShare: z
    .object({ ...solvedBy.shape, n: z.int().min(1) })
    .nullable()
    .meta({
      description:
        'Of the `n` ended runs of which anything was scored; with its 95 % interval, in which several runs of one case count as alike.',
    }),
  solvedByIteration: z.array(z.int()),
  currentByIteration: z.array(z.int()),
  solveCurve: z.array(batchCurvePointSchema),
  stopReasons: z.record(z.string(), z.int()),
  endedByRule: z
    .object({ met: z.int().min(0), n: z.int().min(1), ...interval })
    .nullable()
    .meta({
      description:
        'Of the `n` runs that their rules or a cap ended and of which anything was scored: how many ended by a rule; with its 95 % interval.',
    }),
  tokenUsage: z.object({ input: z.int(), output: z.int(), total: z.int() }),
  costUsd: z.number(),
  unpriced: z.boolean(),
  firstScore: z.object({ mean: z.number(), n: z.int() }).nullable(),
  bestScore: z.object({ mean: z.number(), n: z.int() }).nullable(),
});
export type BatchReport = z.infer<typeof batchReportSchema>;
