import type { Criterion } from './criterion-schema.ts';
import { ownValue } from './json-values.ts';
import { roundTo6 } from './round.ts';
import type { ExperimentSettings } from './settings.ts';

/** Scores by criterion, from 0 to 1. Null if it could not be scored. */
export type CriteriaScores = Record<string, number | null>;

/**
 * Returns the weighted mean of the criteria's scores, rounded to 6 decimals. Null if any criterion is unscored or missing, even with weight
 * 0, because a gap never counts as 0.
 */
export function overallOf(
  settings: { criteria: Pick<Criterion, 'name' | 'weight'>[] },
  scores: CriteriaScores,
): number | null {
  let sum = 0;
  let weights = 0;
  for (const criterion of settings.criteria) {
    const score = ownValue(scores, criterion.name);
    if (score === null) return null;
    sum += criterion.weight * score;
    weights += criterion.weight;
  }
  return weights > 0 ? roundTo6(sum / weights) : null;
}

/** True if the overall score meets the quality threshold, and every criterion is scored and meets its own. Compared at 6 decimals. */
export function isSatisfactory(
  settings: Pick<ExperimentSettings, 'qualityThreshold'> & { criteria: Pick<Criterion, 'name' | 'threshold'>[] },
  overall: number | null,
  scores: CriteriaScores,
): boolean {
  if (overall === null || !meetsThreshold(overall, settings.qualityThreshold)) return false;
  return settings.criteria.every((criterion) => {
    const score = ownValue(scores, criterion.name);
    return score !== null && (criterion.threshold === null || meetsThreshold(score, criterion.threshold));
  });
}

/** Returns the pass threshold of a single criterion: its own, else the overall one. */
export function getPassThreshold(
  { threshold }: Pick<Criterion, 'threshold'>,
  { qualityThreshold }: Pick<ExperimentSettings, 'qualityThreshold'>,
): number {
  return threshold ?? qualityThreshold;
}

/** True if a score reaches a threshold, compared at 6 decimals. */
export function meetsThreshold(score: number, threshold: number): boolean {
  return roundTo6(score) >= roundTo6(threshold);
}
