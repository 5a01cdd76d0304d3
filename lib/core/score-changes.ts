import type { Evaluation, History } from './history.ts';
import { isSatisfactory, overallOf } from './score-evaluation.ts';
import { effectiveEvaluation } from './scored-versions.ts';
import type { ExperimentSettings } from './settings.ts';
import { NO_SPEND } from './token-usage.ts';

/** A score given by hand, from 0 to 1: to one criterion, or (null) to the version as a whole. */
type GivenScore = {
  version: number;
  score: number;
  criterion: string | null;
  actor: string | null;
  reason: string | null;
};

/**
 * The evaluation that a score given by hand makes beside the machine's; all it does not speak of is taken over from the one that
 * counted so far. Null when the version was not evaluated yet.
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
 * The evaluation that lets the score stand again which a version had before it was overridden, kept beside all others like any
 * word of a person. Null where the score that counts is no override.
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

/** Whether an evaluation came of an override: it has its decision's moment. */
function isOverride({ decisions }: Pick<History, 'decisions'>, { by, version, createdAt }: Evaluation): boolean {
  return (
    by === 'person' &&
    decisions.some((one) => one.decision === 'override' && one.version === version && one.at === createdAt)
  );
}
