import { criterionDefinition, isJudgedByModel } from '#lib/core/criterion.ts';
import type { Criterion } from '#lib/core/criterion-schema.ts';
import { asksForReference } from '#lib/core/prompts/judge-texts.ts';

/** Returns true if a case's reference can affect the score of a criterion. `evaluatePrompt` is the judge's own prompt, which may use it. */
export function mayUseReference(criterion: Criterion, evaluatePrompt: string | null): boolean {
  const { usesReference } = criterionDefinition(criterion.evaluator);
  return usesReference?.(criterion.config) === true || asksForReference(criterion, evaluatePrompt);
}

/** True if a judge model receives the reference for this criterion. `evaluatePrompt` is the judge's own prompt, which may use it. */
export function isShownToJudge(criterion: Criterion, evaluatePrompt: string | null): boolean {
  return isJudgedByModel(criterion) && mayUseReference(criterion, evaluatePrompt);
}
