import type { Evaluation, History } from './history.ts';
import { isSatisfactory, overallOf } from './score-evaluation.ts';
import { effectiveEvaluation } from './scored-versions.ts';
import type { ExperimentSettings } from './settings.ts';
import { NO_SPEND } from './token-usage.ts';

/** A manual score, 0 to 1, for one criterion, or (null) for the version as a whole. */
type GivenScore = {
  version: number;
  score: number;
  criterion: string | null;
  actor: string | null;
  reason: string | null;
};

/**
 * Returns the evaluation for a manual score, in addition to the automatic one. Everything else is copied from the effective evaluation.
 * Returns null if the version was not evaluated yet.
 */
export function overrideScore(
  history: History,
  settings: ExperimentSettings,
  given: GivenScore,
  now: Date,
): Evaluation | null {
  const before = effectiveEvaluation(history, given.version);
  if (before === null) return null;
  const { criterion, score, actor, reason } = given;
  const criteriaScores = criterion === null ? before.criteriaScores : { ...before.criteriaScores, [criterion]: score };
  const overallScore = criterion === null ? score : overallOf(settings, criteriaScores);
  return {
    ...before,
    ...NO_SPEND,
    by: 'person',
    actor,
    reason,
    status: overallScore === null ? 'partial' : 'scored',
    overallScore,
    criteriaScores,
    satisfactory:
      criterion === null ? score >= settings.qualityThreshold : isSatisfactory(settings, overallScore, criteriaScores),
    sameModelJudge: false,
    copiedFrom: null,
    createdAt: now.toISOString(),
    step: history.step,
  };
}

/**
 * Returns the evaluation that restores a version's score from before an override. It is appended like any evaluation by a person. Returns
 * null if the effective score is not an override.
 */
export function restoredScore(
  history: History,
  version: number,
  { actor, reason }: { actor: string | null; reason: string | null },
  now: Date,
): Evaluation | null {
  const current = effectiveEvaluation(history, version);
  if (current === null || !isOverride(history, current)) return null;
  const evaluations = history.evaluations.filter((evaluation) => !isOverride(history, evaluation));
  const before = effectiveEvaluation({ ...history, evaluations }, version);
  if (before === null) return null;
  return { ...before, ...NO_SPEND, by: 'person', actor, reason, createdAt: now.toISOString(), step: history.step };
}

/** True if an evaluation comes from an override: it has the timestamp of its decision. */
function isOverride({ decisions }: Pick<History, 'decisions'>, { by, version, createdAt }: Evaluation): boolean {
  return (
    by === 'person' &&
    decisions.some((one) => one.decision === 'override' && one.version === version && one.at === createdAt)
  );
}
