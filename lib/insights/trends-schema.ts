import { z } from 'zod';
import { countedShareSchema } from '#lib/statistics/shares.ts';

const count = z.int().min(0);

const trendMeanSchema = z.object({
  n: count,
  mean: z.number(),
  low: z.number().nullable().meta({ description: 'Of the 95% interval; null for a single run.' }),
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
  score: trendMeanSchema.nullable().meta({ description: 'Mean best score; null where nothing was scored.' }),
  costUsd: trendMeanSchema.nullable().meta({ description: 'Mean cost of a run; null where none had a price.' }),
});
export type TrendPoint = z.infer<typeof trendPointSchema>;

/** How success, score and cost went over time. */
export const trendsSchema = z.object({
  weeks: z.array(trendPointSchema),
  versions: z.array(trendPointSchema).meta({ description: 'Empty unless one experiment is asked for.' }),
});
export type Trends = z.infer<typeof trendsSchema>;
