import { z } from 'zod';
import type { Criterion } from '#lib/core/criterion.ts';
import { asksForReference } from '#lib/core/prompts/judge-texts.ts';

/**
 * What a criterion said of an output it was tried on. `score` from 0 to 1, null when it could not be scored (then `reason` says
 * why); `feedback` is what models would be told, `detail` is for people only. `costUsd` is null where no price is known.
 */
export const triedCriterionSchema = z.object({
  score: z.number().nullable(),
  passed: z.boolean(),
  reason: z.string(),
  issues: z.array(z.string()),
  suggestions: z.array(z.string()),
  confidence: z.number().nullable(),
  feedback: z.string(),
  detail: z.string(),
  tokenUsage: z.object({ input: z.number(), output: z.number(), total: z.number() }),
  costUsd: z.number().nullable(),
  durationMs: z.number(),
});
export type TriedCriterion = z.infer<typeof triedCriterionSchema>;

/** Whether a case's reference may change how a criterion is scored. `evaluatePrompt`: the judge's own prompt, which may ask for it. */
export function mayUseReference(criterion: Criterion, evaluatePrompt: string | null): boolean {
  switch (criterion.evaluator) {
    case 'reference':
    case 'webhook':
      return true;
    case 'comparison':
      return criterion.config.against === 'reference' || asksForReference(criterion, evaluatePrompt);
    case 'llm':
    case 'checklist':
      return asksForReference(criterion, evaluatePrompt);
    case 'function':
      return criterion.config.code.includes('reference');
    case 'python_tests':
    case 'regex':
    case 'json_schema':
    case 'human':
      return false;
  }
}

/** Whether a judge model is shown the reference to score this criterion. `evaluatePrompt`: the judge's own prompt, which may ask for it. */
export function isShownToJudge(criterion: Criterion, evaluatePrompt: string | null): boolean {
  const isCompared = criterion.evaluator === 'comparison' && criterion.config.against === 'reference';
  return isCompared || asksForReference(criterion, evaluatePrompt);
}
