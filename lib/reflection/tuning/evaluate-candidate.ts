import type { MadeEvaluation } from '../evaluate-request.ts';
import { type CaseTry, type History, NO_SPEND } from '../history.ts';
import { roundTo6 } from '../round.ts';
import { isSatisfactory } from '../score-evaluation.ts';
import type { ExperimentSettings } from '../settings.ts';
import { validationPositions } from './cases-of.ts';
import { effectiveTries } from './effective-tries.ts';

/**
 * A prompt's evaluation: the means over the cases it is validated on, of the whole score and of each criterion. No call is made and
 * nothing is spent. Throws where a case is not scored: the loop evaluates only once all are.
 */
export function evaluateCandidate(history: History, settings: ExperimentSettings, version: number): MadeEvaluation {
  const tries = effectiveTries(history, version);
  const scored = validationPositions(history).map((position) => {
    const tried = tries.get(position);
    if (tried === undefined || tried.score === null)
      throw new Error(`version ${version} is not scored on case ${position}`);
    return { ...tried, score: tried.score };
  });
  const overallScore = meanOf(scored.map(({ score }) => score));
  const criteriaScores = Object.fromEntries(settings.criteria.map(({ name }) => [name, meanOfCriterion(scored, name)]));
  const right = scored.filter(({ satisfactory }) => satisfactory).length;
  return {
    ...NO_SPEND,
    status: 'scored',
    overallScore,
    criteriaScores,
    reasons: {},
    satisfactory: isSatisfactory(settings, overallScore, criteriaScores),
    issues: [],
    suggestions: [],
    confidence: null,
    feedback: '',
    detail: `Mean of ${scored.length} cases, ${right} of them satisfactory.`,
    answer: null,
  };
}

function meanOfCriterion(tries: CaseTry[], name: string): number | null {
  const scores = tries.flatMap(({ criteriaScores }) => criteriaScores[name] ?? []);
  return scores.length < tries.length ? null : meanOf(scores);
}

function meanOf(scores: number[]): number {
  return roundTo6(scores.reduce((sum, score) => sum + score, 0) / scores.length);
}
