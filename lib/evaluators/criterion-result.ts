import type { CriterionResult } from './evaluator.ts';

/** The verdict on a criterion with everything that is not said left empty. */
export function criterionResult(
  result: Pick<CriterionResult, 'criterion' | 'score' | 'reason'> & Partial<CriterionResult>,
): CriterionResult {
  return {
    issues: [],
    suggestions: [],
    confidence: null,
    feedback: '',
    detail: result.reason,
    answer: null,
    ...result,
  };
}

/** A criterion that could not be scored; `reason` says why, to people. */
export function unscored(criterion: string, reason: string): CriterionResult {
  return criterionResult({ criterion, score: null, reason });
}
