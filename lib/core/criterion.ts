import { z } from 'zod';
import { checklistCriterionSchema } from './criteria/checklist.ts';
import { comparisonCriterionSchema } from './criteria/comparison.ts';
import { functionCriterionSchema } from './criteria/function.ts';
import { humanCriterionSchema } from './criteria/human.ts';
import { jsonSchemaCriterionSchema } from './criteria/json-schema.ts';
import { llmCriterionSchema } from './criteria/llm.ts';
import { pythonTestsCriterionSchema } from './criteria/python-tests.ts';
import { referenceCriterionSchema } from './criteria/reference.ts';
import { regexCriterionSchema } from './criteria/regex.ts';
import { webhookCriterionSchema } from './criteria/webhook.ts';
import { showValue } from './show-value.ts';

const KINDS = [
  llmCriterionSchema,
  checklistCriterionSchema,
  comparisonCriterionSchema,
  regexCriterionSchema,
  jsonSchemaCriterionSchema,
  referenceCriterionSchema,
  functionCriterionSchema,
  pythonTestsCriterionSchema,
  webhookCriterionSchema,
  humanCriterionSchema,
] as const;

/** Every way a criterion can be scored, in the order they are offered. */
export const EVALUATOR_KINDS = KINDS.map((kind) => kind.shape.evaluator.value);

/** One criterion of an experiment. What `config` holds depends on the evaluator. */
export const criterionSchema = z.discriminatedUnion('evaluator', KINDS, {
  error: (issue) => evaluatorMessage(issue.input),
});
export type Criterion = z.infer<typeof criterionSchema>;
export type EvaluatorKind = Criterion['evaluator'];
/** The criteria of one evaluator kind. */
export type CriterionOf<Kind extends EvaluatorKind> = Extract<Criterion, { evaluator: Kind }>;

function evaluatorMessage(input: unknown): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return `must be an object, got ${showValue(input)}`;
  const kinds = EVALUATOR_KINDS.join(', ');
  return `must be one of ${kinds}, got ${showValue('evaluator' in input ? input.evaluator : undefined)}`;
}
