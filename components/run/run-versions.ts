import type { EvaluationRecord, RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import { isEndedStatus } from '#lib/core/run-statuses.ts';

/** Returns the effective evaluation: the latest by a person, else the latest automatic one. Null if there is none. */
export function currentEvaluation(version: VersionRecord): EvaluationRecord | null {
  return version.evaluations.findLast(({ by }) => by === 'person') ?? version.evaluations.at(-1) ?? null;
}

/** Returns the overall score of a version. Null if it has no complete evaluation. */
export function currentScore(version: VersionRecord): number | null {
  const evaluation = currentEvaluation(version);
  return evaluation?.status === 'scored' ? evaluation.overallScore : null;
}

/** Returns the automatic score that a person overrode with a different one. Null if no person's score applies or both are equal. */
export function overriddenScore(version: VersionRecord): number | null {
  if (currentEvaluation(version)?.by !== 'person') return null;
  const machine = version.evaluations.findLast(({ by }) => by !== 'person');
  const score = machine?.status === 'scored' ? machine.overallScore : null;
  return score === currentScore(version) ? null : score;
}

/** Returns the number of the parent version. An attempt builds on the previous one. The first version has no parent. */
export function parentOf(version: VersionRecord): number | null {
  return version.parents[0] ?? (version.number > 0 ? version.number - 1 : null);
}

/** Returns the versions available for comparison and the current one: as chosen, else the parent, else the latest. */
export function comparedWith(
  { versions }: Pick<RunRecord, 'versions'>,
  version: VersionRecord,
  chosen: number | null,
): { others: VersionRecord[]; against: VersionRecord | undefined } {
  const others = version.outputDropped
    ? []
    : versions.filter(({ number, outputDropped }) => number !== version.number && !outputDropped);
  const parent = parentOf(version);
  const against =
    others.find(({ number }) => number === chosen) ?? others.find(({ number }) => number === parent) ?? others.at(-1);
  return { others, against };
}

/** True if a run finished, failed or was stopped. */
export function isEnded({ status }: Pick<RunRecord, 'status'>): boolean {
  return isEndedStatus(status);
}
