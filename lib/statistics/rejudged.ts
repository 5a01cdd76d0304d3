import type { Criterion } from '#lib/core/criterion.ts';
import type { Evaluation, History } from '#lib/core/history.ts';
import { isSatisfactory, overallOf } from '#lib/core/score-evaluation.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';

/** What turns criteria scores into a verdict. */
export type Scoring = Pick<ExperimentSettings, 'qualityThreshold'> & {
  criteria: Pick<Criterion, 'name' | 'weight' | 'threshold'>[];
};

/**
 * The history with every evaluation judged anew from its stored criteria scores, by other weights and thresholds. A whole score
 * that a person gave stays as it is and is held against the quality threshold alone; what is unscored stays unscored.
 */
export function rejudged(history: History, own: Scoring, changed: Scoring): History {
  if (isSameScoring(own, changed)) return history;
  const isWhole = (evaluation: Evaluation) =>
    history.decisions.some(
      ({ decision, criterion, version, at }) =>
        decision === 'override' &&
        criterion === null &&
        version === evaluation.version &&
        at === evaluation.createdAt &&
        evaluation.by === 'person',
    ) || isCopyOfWhole(evaluation, own);
  return {
    ...history,
    evaluations: history.evaluations.map((evaluation) => ({
      ...evaluation,
      ...verdictOn(evaluation, isWhole(evaluation), changed),
    })),
  };
}

/** Whether a score was kept from a version with the same text whose whole score a person gave: it is not the mean of its criteria. */
function isCopyOfWhole({ by, copiedFrom, overallScore, criteriaScores }: Evaluation, own: Scoring): boolean {
  return by === 'person' && (copiedFrom ?? null) !== null && overallScore !== overallOf(own, criteriaScores);
}

/** The overall score and whether it is satisfactory, from stored criteria scores; `isWhole`: a person gave the overall score itself. */
export function verdictOn(
  { overallScore, criteriaScores }: Pick<Evaluation, 'overallScore' | 'criteriaScores'>,
  isWhole: boolean,
  scoring: Scoring,
): Pick<Evaluation, 'overallScore' | 'satisfactory'> {
  if (overallScore === null) return { overallScore, satisfactory: false };
  if (isWhole) return { overallScore, satisfactory: overallScore >= scoring.qualityThreshold };
  const overall = overallOf(scoring, criteriaScores);
  return { overallScore: overall, satisfactory: isSatisfactory(scoring, overall, criteriaScores) };
}

function isSameScoring(own: Scoring, changed: Scoring): boolean {
  return (
    own.qualityThreshold === changed.qualityThreshold &&
    own.criteria.length === changed.criteria.length &&
    own.criteria.every(({ name, weight, threshold }, index) => {
      const other = changed.criteria[index];
      return other?.name === name && other.weight === weight && other.threshold === threshold;
    })
  );
}
