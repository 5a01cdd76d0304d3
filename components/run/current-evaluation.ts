import type { EvaluationRecord, VersionRecord } from '#lib/core/run-record.ts';

/** The evaluation the loop goes by: the latest by a person where there is one, else the machine's latest; null when there is none. */
export function currentEvaluation(version: VersionRecord): EvaluationRecord | null {
  return version.evaluations.findLast(({ by }) => by === 'person') ?? version.evaluations.at(-1) ?? null;
}

/** A version's overall score; null where it is not, or not fully, scored. */
export function currentScore(version: VersionRecord): number | null {
  const evaluation = currentEvaluation(version);
  return evaluation?.status === 'scored' ? evaluation.overallScore : null;
}

/** The number of the version another one was made from. An attempt stands on the one before it; the first on none. */
export function parentOf(version: VersionRecord): number | null {
  return version.parents[0] ?? (version.number > 0 ? version.number - 1 : null);
}
