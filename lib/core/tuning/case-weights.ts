import { cachedByObject } from '#lib/core/caches.ts';
import type { Case } from '#lib/core/case.ts';
import type { History, TuningCase } from '#lib/core/history.ts';
import { roundTo6 } from '#lib/core/round.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { showValue } from '#lib/core/text-values.ts';
import { meanOf } from './case-scores.ts';

const MAX_CASE_WEIGHT = 100;

type Weights = Pick<ExperimentSettings['tune'], 'weightKey'>;

/** Returns the cases of a tuning run with weights from their metadata. Unchanged if the settings name no key. */
export function weighedCases(cases: TuningCase[], { weightKey }: Weights): TuningCase[] {
  return weightKey === null ? cases : cases.map((one) => ({ ...one, weight: caseWeight(one.metadata[weightKey]) }));
}

/**
 * Returns the weight of a case in tuning, above 0 and at most 100, from its metadata, which tables store as text. 1 if missing. An invalid
 * value also counts as 1, but `weightProblem` rejects it before a run starts.
 */
export function caseWeight(value: unknown): number {
  return readWeight(value) ?? 1;
}

/** Returns the reason why the weight of a case is rejected, or null. */
export function weightProblem({ metadata }: Pick<Case, 'metadata'>, { weightKey }: Weights): string | null {
  const weight = weightKey === null ? undefined : metadata[weightKey];
  if (isLeftOut(weight) || readWeight(weight) !== null) return null;
  return `metadata.${weightKey} must be a number above 0, at most ${MAX_CASE_WEIGHT}, got ${showValue(weight)}`;
}

function readWeight(value: unknown): number | null {
  const weight = typeof value === 'string' && !isLeftOut(value) ? Number(value) : value;
  return typeof weight === 'number' && weight > 0 && weight <= MAX_CASE_WEIGHT ? weight : null;
}

/** An empty table cell counts as a missing weight. */
function isLeftOut(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** Returns the weights of cases in this order, or null if all are equal. The calculation is then exactly the unweighted one. */
export function weightsAt({ cases }: Pick<History, 'cases'>, positions: readonly number[]): number[] | null {
  const known = unequalWeights(cases);
  if (known === null) return null;
  const weights = positions.map((position) => known.get(position) ?? 1);
  return weights.every((weight) => weight === weights[0]) ? null : weights;
}

const unequalWeights = cachedByObject((cases: History['cases']) => {
  const weights = new Map(cases.map(({ position, weight = 1 }) => [position, weight]));
  return new Set(weights.values()).size < 2 ? null : weights;
});

/** Returns the weighted mean, rounded to 6 decimals. Null weights: all are equal. */
export function weightedMean(values: readonly number[], weights: readonly number[] | null): number {
  if (weights === null) return meanOf(values);
  return roundTo6(values.reduce((sum, value, at) => sum + value * (weights[at] ?? 1), 0) / sumOf(weights));
}

/**
 * Returns the number of equally weighted cases whose mean would be as precise as the weighted one: (Σw)² / Σw². Source: Kish 1965, Survey
 * Sampling, the effective sample size.
 */
export function effectiveSize(weights: readonly number[]): number {
  return sumOf(weights) ** 2 / sumOf(weights.map((weight) => weight ** 2));
}

/** Returns the sum of numbers. */
export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
