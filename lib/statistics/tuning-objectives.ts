import { estimatedTokens } from '#lib/core/estimated-tokens.ts';
import type { History } from '#lib/core/history.ts';
import { candidates } from '#lib/core/tuning/candidate-state.ts';
import { effectiveScores, triesByVersion, validationPositions } from '#lib/core/tuning/case-scores.ts';
import { criterionMeans, dominates } from '#lib/core/tuning/select-candidate.ts';
import { type MeanInterval, studentInterval } from './intervals.ts';

/**
 * Objectives in addition to the score: cost in US dollars and time in milliseconds, both per validation case and including scoring. Also
 * the approximate number of tokens of the prompt. Null if nothing was measured, because saved responses cost nothing and some models have
 * no price.
 */
export type CandidateObjectives = {
  version: number;
  costUsd: MeanInterval | null;
  latencyMs: MeanInterval | null;
  promptTokens: number | null;
};

/** The candidates with the highest mean of a criterion. `n`: minimum number of validation cases on which one of them has a score. */
export type CriterionLeaders = { criterion: string; mean: number; n: number; versions: number[] };

export type TuningObjectives = { candidates: CandidateObjectives[]; leaders: CriterionLeaders[] };

/** Returns the objectives other than the overall score. */
export function tuningObjectives(history: History): TuningObjectives {
  const positions = new Set(validationPositions(history));
  const byVersion = triesByVersion(history.tries);
  const compared = candidates(history);
  return {
    candidates: compared.map(({ number, output, outputDropped }) => {
      const paid = (byVersion.get(number) ?? []).filter(
        ({ position, paidBefore }) => positions.has(position) && !paidBefore,
      );
      const costs = paid.flatMap(({ costUsd }) => costUsd ?? []);
      return {
        version: number,
        costUsd: costs.length < paid.length ? null : measuredMean(costs),
        latencyMs: measuredMean(paid.map(({ durationMs }) => durationMs)),
        promptTokens: outputDropped ? null : estimatedTokens(output),
      };
    }),
    leaders: criterionLeaders(
      history,
      compared.map(({ number }) => number),
    ),
  };
}

/** Returns the candidates with the highest mean, for each criterion that has one. */
export function criterionLeaders(history: History, numbers: readonly number[]): CriterionLeaders[] {
  return [...criterionMeans(history, numbers)].map(([criterion, means]) => {
    const top = Math.max(...means.values());
    const versions = [...means].flatMap(([version, mean]) => (mean === top ? [version] : []));
    const n = Math.min(...versions.map((version) => casesWith(history, version, criterion)));
    return { criterion, mean: top, n, versions };
  });
}

/** Returns the number of validation cases on which a version has a score for a criterion. */
function casesWith(history: History, version: number, criterion: string): number {
  const tries = effectiveScores(history, version);
  return validationPositions(history).filter(
    (position) => (tries.get(position)?.criteriaScores[criterion] ?? null) !== null,
  ).length;
}

function measuredMean(values: readonly number[]): MeanInterval | null {
  const measured = studentInterval(values);
  return measured?.low == null ? measured : { ...measured, low: Math.max(0, measured.low) };
}

/**
 * Returns the points that no other point dominates, in the given order. A point dominates another if it is at least as good in each
 * objective and better in one. Higher is better for all values of `goodness`. Points that are equal in all objectives are all kept.
 */
export function paretoFront<Point>(points: readonly Point[], goodness: (point: Point) => readonly number[]): Point[] {
  const measured = points.map((point) => ({ point, values: goodness(point) }));
  return measured
    .filter(({ values }) => !measured.some((other) => dominates(other.values, values)))
    .map(({ point }) => point);
}
