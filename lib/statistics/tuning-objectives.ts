import { mean } from 'simple-statistics';
import type { History } from '#lib/core/history.ts';
import { scoredVersions } from '#lib/core/scored-versions.ts';
import { estimatedTokens } from '#lib/core/spend.ts';
import { roundTo6 } from '#lib/core/text-values.ts';
import { candidates } from '#lib/core/tuning/candidate-state.ts';
import { triesByVersion, validationPositions } from '#lib/core/tuning/cases-of.ts';
import { tQuantile } from './intervals.ts';

/** The mean of what `n` cases took with its 95 % interval (Student's t); the bounds are null for a single case. */
export type MeasuredMean = { n: number; mean: number; low: number | null; high: number | null };

/**
 * What a candidate takes besides its score: cost in US dollars and time in milliseconds per validation case, scoring included, and about
 * how many tokens its prompt has. Null where nothing was measured: saved responses cost nothing, and some models have no price.
 */
export type CandidateObjectives = {
  version: number;
  costUsd: MeasuredMean | null;
  latencyMs: MeasuredMean | null;
  promptTokens: number | null;
};

/** The candidates with the highest mean of a criterion over the validation cases. */
export type CriterionLeaders = { criterion: string; mean: number; versions: number[] };

export type TuningObjectives = { candidates: CandidateObjectives[]; leaders: CriterionLeaders[] };

/** By what candidates can be compared besides their overall score. */
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

function criterionLeaders(history: History, numbers: readonly number[]): CriterionLeaders[] {
  const scored = scoredVersions(history).filter(({ version }) => numbers.includes(version.number));
  const names = [...new Set(scored.flatMap(({ evaluation }) => Object.keys(evaluation.criteriaScores)))];
  return names.flatMap((criterion) => {
    const means = scored.flatMap(({ version, evaluation }) => {
      const score = evaluation.criteriaScores[criterion] ?? null;
      return score === null ? [] : [{ version: version.number, score: roundTo6(score) }];
    });
    if (means.length === 0) return [];
    const top = Math.max(...means.map(({ score }) => score));
    return [
      { criterion, mean: top, versions: means.flatMap(({ version, score }) => (score === top ? [version] : [])) },
    ];
  });
}

function measuredMean(values: readonly number[]): MeasuredMean | null {
  const n = values.length;
  if (n === 0) return null;
  const average = mean([...values]);
  if (n === 1) return { n, mean: average, low: null, high: null };
  const squares = values.reduce((sum, value) => sum + (value - average) ** 2, 0);
  const half = tQuantile(n - 1) * Math.sqrt(squares / (n - 1) / n);
  return { n, mean: average, low: Math.max(0, average - half), high: average + half };
}

/**
 * The points that no other one dominates: another one is at least as good in each objective and better in one. More is better in all that
 * `goodness` returns. Points that are equal in all stay together. In the order given.
 */
export function paretoFront<Point>(points: readonly Point[], goodness: (point: Point) => readonly number[]): Point[] {
  const measured = points.map((point) => ({ point, values: goodness(point) }));
  const dominates = (one: readonly number[], other: readonly number[]) =>
    one.every((value, at) => value >= (other[at] ?? value)) && one.some((value, at) => value > (other[at] ?? value));
  return measured
    .filter(({ values }) => !measured.some((other) => dominates(other.values, values)))
    .map(({ point }) => point);
}
