import type { History } from '#lib/core/history.ts';
import { estimatedTokens } from '#lib/core/text-values.ts';
import { candidates } from '#lib/core/tuning/candidate-state.ts';
import { effectiveScores, triesByVersion, validationPositions } from '#lib/core/tuning/cases-of.ts';
import { criterionMeans, dominates } from '#lib/core/tuning/select-candidate.ts';
import { type MeanInterval, studentInterval } from './intervals.ts';

/**
 * Objectives besides the score: cost in US dollars and time in milliseconds per validation case, scoring included, and about
 * how many tokens its prompt has. Null where nothing was measured: saved responses cost nothing, and some models have no price.
 */
export type CandidateObjectives = {
  version: number;
  costUsd: MeanInterval | null;
  latencyMs: MeanInterval | null;
  promptTokens: number | null;
};

/** The candidates with the highest mean of a criterion. `n`: the fewest validation cases that one of them has a score on. */
export type CriterionLeaders = { criterion: string; mean: number; n: number; versions: number[] };

export type TuningObjectives = { candidates: CandidateObjectives[]; leaders: CriterionLeaders[] };

/** Objectives other than the overall score. */
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

/** The candidates with the highest mean of each criterion that any of them has a mean of. */
export function criterionLeaders(history: History, numbers: readonly number[]): CriterionLeaders[] {
  return [...criterionMeans(history, numbers)].map(([criterion, means]) => {
    const top = Math.max(...means.values());
    const versions = [...means].flatMap(([version, mean]) => (mean === top ? [version] : []));
    const n = Math.min(...versions.map((version) => casesWith(history, version, criterion)));
    return { criterion, mean: top, n, versions };
  });
}

/** Number of validation cases on which a version has a score of a criterion. */
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
 * The points that no other one dominates: another one is at least as good in each objective and better in one. More is better in all that
 * `goodness` returns. Points that are equal in all stay together. In the order given.
 */
export function paretoFront<Point>(points: readonly Point[], goodness: (point: Point) => readonly number[]): Point[] {
  const measured = points.map((point) => ({ point, values: goodness(point) }));
  return measured
    .filter(({ values }) => !measured.some((other) => dominates(other.values, values)))
    .map(({ point }) => point);
}
