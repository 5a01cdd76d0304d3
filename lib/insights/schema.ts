import { z } from 'zod';
import { calibration, calibrationSchema } from '#lib/statistics/calibration.ts';
import { equalCostSchema } from '#lib/statistics/equal-cost.ts';
import { errorRates, errorRatesSchema } from '#lib/statistics/error-rates.ts';
import { judgedPairSchema } from '#lib/statistics/judged-pairs.ts';
import { readTarget, TARGETS, type Target, targetReadingSchema } from '#lib/statistics/read-target.ts';
import { reviewerAgreementSchema } from '#lib/statistics/reviewer-agreement.ts';
import {
  addShares,
  type CountedShare,
  countedShareSchema,
  type SummedShare,
  shareByRun,
  summedShare,
} from '#lib/statistics/shares.ts';

const count = z.int().min(0);

/** Maximum number of runs whose judgements are compared with the ground truth, the newest. Each may have one pair per version. */
export const MAX_JUDGED_RUNS = 500;

/**
 * A share of items that are correlated within a cluster: issues of a run, or runs of a case. `met` of `of` items match. `clusters`: those
 * with any item. `metMet`, `metOf`, `ofOf`: sums over them of the products of `met` and `of`.
 */
export const clusteredShareSchema = z.object({
  ...{ met: count, of: count, clusters: count },
  ...{ metMet: count, metOf: count, ofOf: count },
});

/**
 * Results of the ended runs of one experiment under one settings version. Sums of run_measures and of columns of runs, without histories.
 * `qualityThreshold` comes from the settings. `pairs` are the judgements that can be compared with those of a person or a check.
 */
export const insightsSumsSchema = z.object({
  experimentId: z.string(),
  version: z.int(),
  name: z.string(),
  practice: z.boolean(),
  /** True if the model that writes the outputs also judges them. */
  selfJudged: z.boolean(),
  qualityThreshold: z.number(),
  runs: count,
  ended: count,
  /** Of runs with two scored versions: those whose final score is above the first (rounded to 6 decimals). */
  finalBetter: clusteredShareSchema,
  /** Of ended runs: those with a satisfactory version among the first draft and three revisions, or among three attempts. */
  withinThree: clusteredShareSchema,
  /** Issues that were absent in the next version, of those named. */
  issues: clusteredShareSchema,
  /** Re-scores within 0.1 of the run's own score, the number of `outputs`, and the largest difference. */
  alike: clusteredShareSchema.extend({ outputs: count, largestDistance: z.number().nullable() }),
  /** Of runs ended by a rule or cap: those ended by quality_met or an early stop, not by a cap or a budget. */
  endedByRule: clusteredShareSchema,
  /** `corrected`: failed checks that pass in the next version. `introduced`: passed checks that fail there. */
  corrected: clusteredShareSchema,
  introduced: clusteredShareSchema,
  /** Of versions after an unsatisfactory one: those that repeat the same answer. */
  repeats: clusteredShareSchema,
  evaluations: count,
  unscored: count,
  solved: count,
  costUsd: z.number(),
  unpriced: z.boolean(),
  /** Sum of the gains from first to best score, and the number of runs that have both. */
  gain: z.number(),
  gained: count,
  pairs: z.array(judgedPairSchema.extend({ runId: z.string() })),
});
export type InsightsSums = z.infer<typeof insightsSumsSchema>;

const money = z.number().min(0).nullable();

/** Cost of runs by purpose. A lower bound if `unpriced`, when some call had no known price. */
const costSchema = z.object({
  costUsd: z.number().min(0),
  unpriced: z.boolean(),
  gain: z.number().meta({ description: 'Sum of what runs gained from their first to their best score.' }),
  gained: count.meta({ description: 'Runs that have both scores.' }),
  solved: count,
  perPointUsd: money.meta({
    description: 'Cost of a gain of 0.10 in score. Null if there was no gain, or no call has a known price.',
  }),
  perSolvedUsd: money.meta({
    description: 'Cost of a solved run. Null if no run was solved, or no call has a known price.',
  }),
});
type InsightsCost = z.infer<typeof costSchema>;

const ofExperiment = z.object({ experimentId: z.string(), version: z.int(), name: z.string(), practice: z.boolean() });

/** All measures over many runs, each with its n, and an interval if it is an estimate. */
export const insightsReportSchema = z.object({
  experiments: count,
  runs: count,
  ended: count,
  evaluations: count,
  practice: z
    .enum(['none', 'some', 'all'])
    .meta({ description: 'How many of the experiments ran on the practice model.' }),
  targets: z.array(targetReadingSchema).meta({ description: 'The five targets, in fixed order.' }),
  rescores: z.object({ outputs: count, largestDistance: z.number().nullable() }),
  cost: costSchema,
  /** Experiments with a cost per point, cheapest first, then those with only a lower bound, then the others by name. */
  costs: z.array(ofExperiment.extend(costSchema.shape)),
  people: calibrationSchema,
  checks: calibrationSchema,
  unscored: countedShareSchema.meta({ description: 'Evaluations that left something without a score.' }),
  selfJudged: count.meta({ description: 'Experiments whose outputs are judged by the model that wrote them.' }),
  errors: errorRatesSchema,
  /** Experiments with at least 20 failing checks, most first. */
  errorsOf: z.array(ofExperiment.extend(errorRatesSchema.shape)),
  /** Names of experiments with fewer failing checks. */
  errorsLeftOut: z.array(z.string()),
  repeats: countedShareSchema.meta({ description: 'Answers that repeat the previous answer, which failed.' }),
});
export type InsightsReport = z.infer<typeof insightsReportSchema>;

/** Minimum number of failing checks. With fewer, the rates of an experiment are mostly noise. */
const MIN_FAILING_CHECKS = 20;
/** Score difference that counts as one point. */
const POINT = 0.1;

/** Summarizes experiments. Intervals count items of one run, and runs of one case, as fewer observations. */
export function insightsReport(sums: readonly InsightsSums[]): InsightsReport {
  const shares = targetShares(sums);
  const practised = sums.filter(({ practice }) => practice).length;
  const pairs = sums.flatMap((one) => one.pairs);
  const distances = sums.flatMap(({ alike }) => (alike.largestDistance === null ? [] : [alike.largestDistance]));
  const [enough, few] = split(sums, ({ corrected }) => corrected.of >= MIN_FAILING_CHECKS);
  return {
    experiments: sums.length,
    runs: total(sums, ({ runs }) => runs),
    ended: total(sums, ({ ended }) => ended),
    evaluations: total(sums, ({ evaluations }) => evaluations),
    practice: practised === 0 ? 'none' : practised === sums.length ? 'all' : 'some',
    targets: TARGETS.map((target) => readTarget(target, shares[target])),
    rescores: {
      outputs: total(sums, ({ alike }) => alike.outputs),
      largestDistance: distances.length === 0 ? null : Math.max(...distances),
    },
    cost: costOf(sums),
    costs: sums.map((one) => ({ ...nameOf(one), ...costOf([one]) })).sort(byPrice),
    people: calibration('person', pairs),
    checks: calibration('check', pairs),
    unscored: shareByRun(
      total(sums, ({ unscored }) => unscored),
      total(sums, ({ evaluations }) => evaluations),
      total(sums, ({ ended }) => ended),
    ),
    selfJudged: sums.filter(({ selfJudged }) => selfJudged).length,
    errors: errorRates({
      corrected: addShares(sums.map(({ corrected }) => corrected)),
      introduced: addShares(sums.map(({ introduced }) => introduced)),
    }),
    errorsOf: enough
      .toSorted((one, other) => other.corrected.of - one.corrected.of || one.name.localeCompare(other.name))
      .map((one) => ({ ...nameOf(one), ...errorRates(one) })),
    errorsLeftOut: few.map(({ name }) => name),
    repeats: shareOver(sums, ({ repeats }) => repeats),
  };
}

function targetShares(sums: readonly InsightsSums[]): Record<Target, CountedShare> {
  return {
    final_better: shareOver(sums, ({ finalBetter }) => finalBetter),
    within_three: shareOver(sums, ({ withinThree }) => withinThree),
    issues_resolved: shareOver(sums, ({ issues }) => issues),
    scored_alike: shareOver(sums, ({ alike }) => alike),
    ended_by_rule: shareOver(sums, ({ endedByRule }) => endedByRule),
  };
}

function shareOver(sums: readonly InsightsSums[], read: (sums: InsightsSums) => SummedShare): CountedShare {
  return summedShare(addShares(sums.map(read)));
}

function costOf(sums: readonly InsightsSums[]): InsightsCost {
  const costUsd = total(sums, (one) => one.costUsd);
  const gain = total(sums, (one) => one.gain);
  const solved = total(sums, (one) => one.solved);
  const unpriced = sums.some((one) => one.unpriced);
  // If no call had a price, 0 is not a real cost.
  const isUnknown = unpriced && costUsd === 0;
  return {
    costUsd,
    unpriced,
    gain,
    gained: total(sums, ({ gained }) => gained),
    solved,
    perPointUsd: isUnknown || gain < ROUNDING_TOLERANCE ? null : (costUsd / gain) * POINT,
    perSolvedUsd: isUnknown || solved === 0 ? null : costUsd / solved,
  };
}

type NamedCost = InsightsReport['costs'][number];

/** Rounding tolerance for sums of gains, which may differ slightly from 0. */
const ROUNDING_TOLERANCE = 1e-6;

function byPrice(one: NamedCost, other: NamedCost): number {
  const rank = ({ perPointUsd, unpriced }: NamedCost) => (perPointUsd === null ? 2 : unpriced ? 1 : 0);
  return (
    rank(one) - rank(other) || (one.perPointUsd ?? 0) - (other.perPointUsd ?? 0) || one.name.localeCompare(other.name)
  );
}

function nameOf({ experimentId, version, name, practice }: InsightsSums): z.infer<typeof ofExperiment> {
  return { experimentId, version, name, practice };
}

function total<One>(all: readonly One[], read: (one: One) => number): number {
  return all.reduce((sum, one) => sum + read(one), 0);
}

function split<One>(all: readonly One[], holds: (one: One) => boolean): [One[], One[]] {
  return [all.filter(holds), all.filter((one) => !holds(one))];
}

/** The newest equal-cost control of the experiments, with the experiment that it controls. `unit`: tokens if not every call has a price. */
const equalCostPanelSchema = equalCostSchema.extend({
  experimentId: z.string(),
  version: z.int(),
  name: z.string(),
  controlId: z.string(),
  controlVersion: z.int(),
  unit: z.enum(['usd', 'tokens']),
});
export type EqualCostPanel = z.infer<typeof equalCostPanelSchema>;

/** Measures over many runs. */
export const insightsSchema = z.object({
  models: z
    .enum(['real', 'practice', 'all'])
    .meta({ description: 'Which models. Default: real models if any have runs.' }),
  since: z.iso.datetime().nullable(),
  report: insightsReportSchema,
  equalCost: equalCostPanelSchema.nullable(),
});
export type Insights = z.infer<typeof insightsSchema>;

/** Agreement of reviewers, for each kind of judgement that several of them can give on the same item. */
export const reviewersSchema = z.object({
  opinions: reviewerAgreementSchema.meta({
    description: 'Whether to promote a lesson, over all lessons. Reviewers vote before they see the votes of others.',
  }),
  scores: reviewerAgreementSchema.meta({
    description:
      'Whether a version or a criterion reaches its threshold, by the scores that people gave. Later reviewers see earlier scores.',
  }),
  preferences: reviewerAgreementSchema.meta({ description: 'Which of two versions is better in a blind review.' }),
});
export type Reviewers = z.infer<typeof reviewersSchema>;

const trendMeanSchema = z.object({
  n: count,
  mean: z.number(),
  low: z.number().nullable().meta({
    description:
      'Lower bound of the 95% interval, which treats several runs of one case as dependent. Null for a single run. Of a cost, also null if all runs cost the same.',
  }),
  high: z.number().nullable(),
});
export type TrendMean = z.infer<typeof trendMeanSchema>;

/** Results of the runs of a week or of a settings version. */
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

/** Success, score and cost over time. */
export const trendsSchema = z.object({
  weeks: z.array(trendPointSchema),
  versions: z.array(trendPointSchema).meta({ description: 'Empty unless the request names one experiment.' }),
});
export type Trends = z.infer<typeof trendsSchema>;
