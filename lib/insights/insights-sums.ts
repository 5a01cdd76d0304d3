import { z } from 'zod';
import { judgedPairSchema } from '#lib/statistics/digest-run.ts';

/** Runs whose judgements are held against the truth, the newest: each may have a pair for each of its versions. */
export const MOST_JUDGED_RUNS = 500;

const count = z.int().min(0);
/** How many hold something, of how many that could. */
const share = z.object({ met: count, of: count });
/**
 * A share of things of which a run has several, such as issues: they are alike within a run, so the interval goes by runs. `clusters`: runs
 * with any; `metMet`, `metOf`, `ofOf`: sums over these runs of the products of met and of.
 */
const clusteredShare = share.extend({ clusters: count, metMet: count, metOf: count, ofOf: count });

/**
 * What the ended runs of one experiment under one version of its settings come to: sums of run_measures and of the columns of runs, never
 * whole histories. `qualityThreshold` is that of the settings; `pairs` are the judgements that can be held against a person's or a check's.
 */
export const insightsSumsSchema = z.object({
  experimentId: z.string(),
  version: z.int(),
  name: z.string(),
  practice: z.boolean(),
  /** The model that writes the outputs judges them too. */
  selfJudged: z.boolean(),
  qualityThreshold: z.number(),
  runs: count,
  ended: count,
  /** Of runs with two scored versions: the final one scores higher than the first (rounded to 6 decimals). */
  finalBetter: share,
  /** Of ended runs: a version within the first draft and three revisions, or within three attempts, is satisfactory. */
  withinThree: share,
  /** Issues that were gone in the next version, of those named. */
  issues: clusteredShare,
  /** Re-scores within 0.1 of the run's own score, of how many `outputs`, and the largest distance. */
  alike: share.extend({ outputs: count, largestDistance: z.number().nullable() }),
  /** Of runs that a rule ended: by quality_met or an early stop, and not by a cap or a budget. */
  endedByRule: share,
  /** Of checks that failed, those that pass in the next version; of those that passed, those that fail there. */
  corrected: clusteredShare,
  introduced: clusteredShare,
  /** Of versions after one that was not satisfactory: those that give the same answer. */
  repeats: clusteredShare,
  evaluations: count,
  unscored: count,
  solved: count,
  costUsd: z.number(),
  unpriced: z.boolean(),
  /** Sum of what runs gained from their first to their best score, over how many runs that have both. */
  gain: z.number(),
  gained: count,
  pairs: z.array(judgedPairSchema.extend({ runId: z.string() })),
});
export type InsightsSums = z.infer<typeof insightsSumsSchema>;
