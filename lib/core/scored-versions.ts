import type { Evaluation, History, Version } from './history.ts';

/** A fully scored version with its effective evaluation. */
export type ScoredVersion = { version: Version; evaluation: Evaluation; score: number };

/**
 * Returns the evaluation of a version that the loop uses: the latest full score by a person if any, else the latest by anyone. Null if it
 * was never evaluated. If a person left criteria unscored, the automatic scores apply to the rest. A restored score replaces the overrides
 * before it.
 */
export function effectiveEvaluation(history: History, versionNumber: number): Evaluation | null {
  const all = presentEvaluations(history).filter((evaluation) => evaluation.version === versionNumber);
  const ofVersion = all.slice(Math.max(0, lastRestored(history, all)));
  return ofVersion.findLast(({ by, status }) => by === 'person' && status === 'scored') ?? ofVersion.at(-1) ?? null;
}

/** Returns the index of the last evaluation that restored a score, which replaces all before it. -1 if there is none. */
function lastRestored({ decisions }: History, ofVersion: readonly Evaluation[]): number {
  const restores = decisions.filter(({ decision }) => decision === 'restore');
  if (restores.length === 0) return -1;
  return ofVersion.findLastIndex(({ by, version, createdAt }) =>
    restores.some((one) => by === 'person' && one.version === version && one.at === createdAt),
  );
}

/**
 * Returns the evaluations since the validation set of a tuning run was redrawn, because means over different sets are not comparable.
 * Returns all until there are new ones.
 */
function presentEvaluations({ evaluations, redraw }: History): Evaluation[] {
  if (redraw === null) return evaluations;
  const since = evaluations.filter(({ step }) => step > redraw.step);
  return since.length === 0 ? evaluations : since;
}

/** Returns all fully scored versions, in order. */
export function scoredVersions(history: History): ScoredVersion[] {
  return history.versions.flatMap((version) => {
    const evaluation = effectiveEvaluation(history, version.number);
    if (evaluation?.status !== 'scored' || evaluation.overallScore === null) return [];
    return [{ version, evaluation, score: evaluation.overallScore }];
  });
}

/** Returns the score of one version, or null if it is not fully scored. */
export function scoreOf(history: History, versionNumber: number): number | null {
  const evaluation = effectiveEvaluation(history, versionNumber);
  return evaluation?.status === 'scored' ? evaluation.overallScore : null;
}
