import { max, mean, min, sampleStandardDeviation } from 'simple-statistics';
import { z } from 'zod';
import type { Criterion } from '#lib/core/criterion-schema.ts';
import type { Evaluation, History } from '#lib/core/history.ts';
import { ownValue } from '#lib/core/json-values.ts';
import { isSatisfactory, meetsThreshold, overallOf } from '#lib/core/score-evaluation.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { SAME_SCORE_TOLERANCE } from './same-score.ts';

const score = z.number().min(0).max(1);
const count = z.int().min(0);

const scoreSpreadSchema = z.object({
  /** Name of the criterion, or null for the overall score. */
  criterion: z.string().nullable(),
  /** The score used for comparison: the run's own, otherwise that of the first re-score. */
  first: score.nullable(),
  n: count,
  unscored: count,
  mean: score.nullable(),
  /** Sample standard deviation. Null for fewer than two scores. */
  standardDeviation: z.number().nullable(),
  lowest: score.nullable(),
  highest: score.nullable(),
  /** Number of the n scores within 0.1 of `first`. */
  within: count,
});
export type ScoreSpread = z.infer<typeof scoreSpreadSchema>;

export const rescoreReportSchema = z.object({
  version: z.int(),
  asked: count,
  waiting: count,
  scored: count,
  unscored: count,
  failed: count,
  skipped: count,
  /** Failure message of the last failed re-score, for display. */
  failure: z.string().nullable(),
  spreads: z.array(scoreSpreadSchema),
  tokens: count,
  costUsd: z.number(),
  unpriced: z.boolean(),
});
export type RescoreReport = z.infer<typeof rescoreReportSchema>;

export const RESCORE_STATUSES = ['waiting', 'scored', 'partial', 'failed', 'skipped'] as const;
/** A requested additional evaluation of a version. */
export type Rescore = {
  version: number;
  status: (typeof RESCORE_STATUSES)[number];
  overallScore: number | null;
  criteriaScores: Record<string, number | null>;
  message: string | null;
  tokens: number;
  costUsd: number | null;
};
/** The scores that the run itself uses, from its machine evaluation. */
type FirstScores = Pick<Rescore, 'overallScore' | 'criteriaScores'>;

/** Returns the spread of the re-scores of one version, overall and by criterion. Unscored ones are counted separately, never as 0. */
export function reportRescores(
  version: number,
  rescores: readonly Rescore[],
  first: FirstScores | null,
  criteria: readonly string[],
): RescoreReport {
  const answered = rescores.filter(({ status }) => status === 'scored' || status === 'partial');
  const countOf = (wanted: Rescore['status']) => rescores.filter(({ status }) => status === wanted).length;
  const spread = (criterion: string | null, read: (scores: FirstScores) => number | null): ScoreSpread =>
    spreadOf(criterion, first === null ? null : read(first), answered.map(read));
  const overall = spread(null, ({ overallScore }) => overallScore);
  return {
    version,
    asked: rescores.length,
    waiting: countOf('waiting'),
    scored: countOf('scored'),
    unscored: countOf('partial'),
    failed: countOf('failed'),
    skipped: countOf('skipped'),
    failure: rescores.findLast(({ status }) => status === 'failed')?.message ?? null,
    spreads:
      criteria.length > 1
        ? [overall, ...criteria.map((name) => spread(name, ({ criteriaScores }) => ownValue(criteriaScores, name)))]
        : [overall],
    tokens: rescores.reduce((sum, { tokens }) => sum + tokens, 0),
    costUsd: rescores.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0),
    unpriced: rescores.some(({ costUsd }) => costUsd === null),
  };
}

function spreadOf(criterion: string | null, original: number | null, all: (number | null)[]): ScoreSpread {
  const scores = all.filter((one) => one !== null);
  const first = original ?? scores[0] ?? null;
  const isAny = scores.length > 0;
  return {
    criterion,
    first,
    n: scores.length,
    unscored: all.length - scores.length,
    mean: isAny ? mean(scores) : null,
    standardDeviation: scores.length > 1 ? sampleStandardDeviation(scores) : null,
    lowest: isAny ? min(scores) : null,
    highest: isAny ? max(scores) : null,
    // The tolerance covers differences such as 0.8 − 0.7, which are slightly too high in floating point.
    within: first === null ? 0 : scores.filter((one) => Math.abs(one - first) <= SAME_SCORE_TOLERANCE + 1e-9).length,
  };
}

/** The settings that determine a verdict from criteria scores. */
export type Scoring = Pick<ExperimentSettings, 'qualityThreshold'> & {
  criteria: Pick<Criterion, 'name' | 'weight' | 'threshold'>[];
};

/**
 * Returns the history with every verdict recomputed from the stored criteria scores with other weights and thresholds. An overall score
 * from a person does not change and is only compared with the quality threshold. Unscored evaluations stay unscored.
 */
export function rejudged(history: History, original: Scoring, changed: Scoring): History {
  if (isSameScoring(original, changed)) return history;
  const isWhole = (evaluation: Evaluation) =>
    history.decisions.some(
      ({ decision, criterion, version, at }) =>
        decision === 'override' &&
        criterion === null &&
        version === evaluation.version &&
        at === evaluation.createdAt &&
        evaluation.by === 'person',
    ) || isCopyOfWhole(evaluation, original);
  return {
    ...history,
    evaluations: history.evaluations.map((evaluation) => ({
      ...evaluation,
      ...verdictOn(evaluation, isWhole(evaluation), changed),
    })),
  };
}

/** Returns true if a score was copied from an identical text whose overall score a person gave. It is not the mean of its criteria. */
function isCopyOfWhole({ by, copiedFrom, overallScore, criteriaScores }: Evaluation, original: Scoring): boolean {
  return by === 'person' && (copiedFrom ?? null) !== null && overallScore !== overallOf(original, criteriaScores);
}

/** Returns the overall score and verdict for stored criteria scores. `isWhole`: true if a person gave the overall score directly. */
export function verdictOn(
  { overallScore, criteriaScores }: Pick<Evaluation, 'overallScore' | 'criteriaScores'>,
  isWhole: boolean,
  scoring: Scoring,
): Pick<Evaluation, 'overallScore' | 'satisfactory'> {
  if (overallScore === null) return { overallScore, satisfactory: false };
  if (isWhole) return { overallScore, satisfactory: meetsThreshold(overallScore, scoring.qualityThreshold) };
  const overall = overallOf(scoring, criteriaScores);
  return { overallScore: overall, satisfactory: isSatisfactory(scoring, overall, criteriaScores) };
}

function isSameScoring(original: Scoring, changed: Scoring): boolean {
  return (
    original.qualityThreshold === changed.qualityThreshold &&
    original.criteria.length === changed.criteria.length &&
    original.criteria.every(({ name, weight, threshold }, index) => {
      const other = changed.criteria[index];
      return other?.name === name && other.weight === weight && other.threshold === threshold;
    })
  );
}
