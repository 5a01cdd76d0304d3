import type { EvaluationRecord, RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import { isEndedStatus } from '#lib/core/run-statuses.ts';

/** The evaluation the loop goes by: the latest by a person where there is one, else the machine's latest; null when there is none. */
export function currentEvaluation(version: VersionRecord): EvaluationRecord | null {
  return version.evaluations.findLast(({ by }) => by === 'person') ?? version.evaluations.at(-1) ?? null;
}

/** A version's overall score; null where it is not, or not fully, scored. */
export function currentScore(version: VersionRecord): number | null {
  const evaluation = currentEvaluation(version);
  return evaluation?.status === 'scored' ? evaluation.overallScore : null;
}

/** What the machine scored a version that a person scored otherwise; null where no score of a person counts, or both are the same. */
export function overruledScore(version: VersionRecord): number | null {
  if (currentEvaluation(version)?.by !== 'person') return null;
  const machine = version.evaluations.findLast(({ by }) => by !== 'person');
  const score = machine?.status === 'scored' ? machine.overallScore : null;
  return score === currentScore(version) ? null : score;
}

/** The number of the version another one was made from. An attempt stands on the one before it; the first on none. */
export function parentOf(version: VersionRecord): number | null {
  return version.parents[0] ?? (version.number > 0 ? version.number - 1 : null);
}

/** The versions that one can be compared with, and the one it is: as chosen, else its parent, else the latest. */
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
