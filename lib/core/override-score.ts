import { type Evaluation, type History, NO_SPEND } from './history.ts';
import { isSatisfactory, overallOf } from './score-evaluation.ts';
import { effectiveEvaluation } from './scored-versions.ts';
import type { ExperimentSettings } from './settings.ts';

/** A score given by hand, from 0 to 1: to one criterion, or (null) to the version as a whole. */
export type GivenScore = {
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
