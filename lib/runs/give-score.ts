import { WAITS_FOR_A_PERSON } from '#lib/core/criteria/human.ts';
import { type Evaluation, NO_SPEND } from '#lib/core/history.ts';
import { isSatisfactory, overallOf } from '#lib/core/score-evaluation.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';

/** A person's score, from 0 to 1, of a criterion that waited for it. `mayTellModels`: their reason gives no reference away. */
export type GivenScore = {
  criterion: string;
  score: number;
  actor: string;
  reason: string | null;
  mayTellModels: boolean;
  at: string;
  step: number;
};

/**
 * The evaluation that a person's score makes of the one before: all else stays, overall and satisfactory are worked out anew by the
 * same rules. While another score is missing it stays `partial`.
 */
export function giveScore(settings: ExperimentSettings, before: Evaluation, given: GivenScore): Evaluation {
  const { criterion, score, actor, reason, mayTellModels } = given;
  const criteriaScores = { ...before.criteriaScores, [criterion]: score };
  const overallScore = overallOf(settings, criteriaScores);
  const told =
    reason === null || mayTellModels ? (reason ?? `Scored by ${actor}.`) : 'Their reason quotes the reference.';
  return {
    ...before,
    ...NO_SPEND,
    by: 'person',
    actor,
    reason,
    status: overallScore === null ? 'partial' : 'scored',
    overallScore,
    criteriaScores,
    satisfactory: isSatisfactory(settings, overallScore, criteriaScores),
    reasons: { ...before.reasons, [criterion]: told },
    feedback: reason === null || !mayTellModels ? before.feedback : lines(before.feedback, `${criterion}: ${reason}`),
    detail: lines(withoutWaiting(before.detail, criterion), `${criterion}: ${reason ?? `scored by ${actor}`}`),
    sameModelJudge: false,
    copiedFrom: null,
    createdAt: given.at,
    step: given.step,
  };
}

function withoutWaiting(detail: string, criterion: string): string {
  return detail
    .split('\n')
    .filter((line) => line !== WAITS_FOR_A_PERSON && line !== `${criterion}: ${WAITS_FOR_A_PERSON}`)
    .join('\n');
}

function lines(...texts: string[]): string {
  return texts.filter((text) => text !== '').join('\n');
}
