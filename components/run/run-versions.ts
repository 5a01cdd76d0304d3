import type { EvaluationRecord, RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import { isEndedStatus } from '#lib/core/run-statuses.ts';
import { formatList } from '#lib/format.ts';

/**
 * Returns the effective evaluation, as `effectiveEvaluation` of the core: the latest full one by a person, else the latest. Null if none.
 */
export function currentEvaluation({ evaluations }: VersionRecord): EvaluationRecord | null {
  const since = evaluations.slice(Math.max(0, lastRestored(evaluations)));
  return since.findLast(({ by, status }) => by === 'person' && status === 'scored') ?? since.at(-1) ?? null;
}

/** Returns the index of the last partial evaluation that was restored: a person's that repeats the scores of an earlier one. */
function lastRestored(evaluations: readonly EvaluationRecord[]): number {
  const scoresOf = ({ status, criteriaScores }: EvaluationRecord) =>
    status === 'partial' ? JSON.stringify(criteriaScores) : null;
  return evaluations.findLastIndex((one, index) => {
    const scores = scoresOf(one);
    return (
      one.by === 'person' && scores !== null && evaluations.slice(0, index).some((last) => scoresOf(last) === scores)
    );
  });
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

/** Describes the origin of a version: `full rewrite of v2`, `attempt 3`, `first draft`. */
export function originLabel(version: VersionRecord): string {
  const parent = version.parents[0];
  switch (version.origin) {
    case 'generated':
      return version.iteration === 0 ? 'first draft' : 'new draft';
    case 'retried':
      return `attempt ${version.iteration + 1}`;
    case 'revised': {
      const strategy = version.strategy?.replaceAll('_', ' ') ?? 'revision';
      return parent === undefined || parent === version.number - 1 ? strategy : `${strategy} of v${parent}`;
    }
    case 'given':
      return 'the prompt as given';
    case 'branched':
      return 'branched';
    case 'edited':
      return parent === undefined ? 'edited by a person' : `edited from v${parent}`;
    case 'merged':
      if (version.proposal?.combined !== undefined) return `combined from ${versionNames(version.proposal.combined)}`;
      return version.parents.length > 0 ? `merged from ${versionNames(version.parents)}` : 'merged';
  }
}

/** Returns `v3`, `v3 and v4`, or `v3, v4 and v5`. */
export function versionNames(numbers: readonly number[]): string {
  return formatList(numbers.map((number) => `v${number}`));
}
