import { criterionDefinition, isJudgedByModel } from '#lib/core/criterion.ts';
import type { Criterion } from '#lib/core/criterion-schema.ts';
import { asksForReference } from '#lib/core/prompts/judge-texts.ts';

/** Whether a case's reference may change how a criterion is scored. `evaluatePrompt`: the judge's own prompt, which may ask for it. */
export function mayUseReference(criterion: Criterion, evaluatePrompt: string | null): boolean {
  const { usesReference } = criterionDefinition(criterion.evaluator);
  return usesReference?.(criterion.config) === true || asksForReference(criterion, evaluatePrompt);
}

/** Whether a judge model is shown the reference to score this criterion. `evaluatePrompt`: the judge's own prompt, which may ask for it. */
export function isShownToJudge(criterion: Criterion, evaluatePrompt: string | null): boolean {
  return isJudgedByModel(criterion) && mayUseReference(criterion, evaluatePrompt);
}
