import type { Evaluation, History, Version } from './history.ts';

/** A fully scored version with the evaluation the loop goes by. */
export type ScoredVersion = { version: Version; evaluation: Evaluation; score: number };

/**
 * The evaluation the loop goes by for a version: the latest full score by a person where there is one, else the latest by
 * anyone; null when it was never evaluated. A person who scored one criterion and left another unscored leaves the rest to the machine.
 */
export function effectiveEvaluation(history: History, versionNumber: number): Evaluation | null {
  const ofVersion = presentEvaluations(history).filter((evaluation) => evaluation.version === versionNumber);
  return ofVersion.findLast(({ by, status }) => by === 'person' && status === 'scored') ?? ofVersion.at(-1) ?? null;
}

/** Those since the validation set of a tuning run was drawn anew: means over different sets are not compared. All until there are such. */
function presentEvaluations({ evaluations, redraw }: History): Evaluation[] {
  if (redraw === null) return evaluations;
  const since = evaluations.filter(({ step }) => step > redraw.step);
  return since.length === 0 ? evaluations : since;
}

/** All versions with a full score, in order; unscored and partly scored ones are left out. */
export function scoredVersions(history: History): ScoredVersion[] {
  return history.versions.flatMap((version) => {
    const evaluation = effectiveEvaluation(history, version.number);
    if (evaluation?.status !== 'scored' || evaluation.overallScore === null) return [];
    return [{ version, evaluation, score: evaluation.overallScore }];
  });
}

/** The score of one version, null where it is not fully scored. */
export function scoreOf(history: History, versionNumber: number): number | null {
  const evaluation = effectiveEvaluation(history, versionNumber);
  return evaluation?.status === 'scored' ? evaluation.overallScore : null;
}
