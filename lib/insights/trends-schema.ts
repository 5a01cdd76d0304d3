import { z } from 'zod';
import { countedShareSchema } from '#lib/statistics/shares.ts';

const count = z.int().min(0);

const trendMeanSchema = z.object({
  n: count,
  mean: z.number(),
  low: z.number().nullable().meta({ description: 'Lower bound of the 95% interval. Null for a single run.' }),
  high: z.number().nullable(),
});
export type TrendMean = z.infer<typeof trendMeanSchema>;

/** What the runs of a week, or under a version of the settings, came to. */
const trendPointSchema = z.object({
  label: z.string().meta({ description: 'The Monday by UTC, such as 2026-11-23, or the version, such as v3.' }),
  ended: count,
  unscored: count.meta({ description: 'Of the ended runs, those of which nothing was scored: no rate counts them.' }),
  unpriced: count.meta({ description: 'Of the ended runs, those with a call of unknown price: no cost counts them.' }),
  solved: countedShareSchema,
  score: trendMeanSchema.nullable().meta({ description: 'Mean best score. Null if nothing was scored.' }),
  costUsd: trendMeanSchema.nullable().meta({ description: 'Mean cost of a run. Null if no run had a price.' }),
});
export type TrendPoint = z.infer<typeof trendPointSchema>;

/** How success, score and cost went over time. */
export const trendsSchema = z.object({
  weeks: z.array(trendPointSchema),
  versions: z.array(trendPointSchema).meta({ description: 'Empty unless the request names one experiment.' }),
});
export type Trends = z.infer<typeof trendsSchema>;
