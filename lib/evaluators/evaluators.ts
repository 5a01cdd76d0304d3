import type { EvaluatorKind } from '#lib/core/criterion.ts';
import { checklistEvaluator } from './checklist.ts';
import { comparisonEvaluator } from './comparison.ts';
import type { Evaluator } from './evaluator.ts';
import { functionEvaluator } from './function.ts';
import { humanEvaluator } from './human.ts';
import { jsonSchemaEvaluator } from './json-schema.ts';
import { llmEvaluator } from './llm.ts';
import { pythonTestsEvaluator } from './python-tests.ts';
import { referenceEvaluator } from './reference.ts';
import { regexEvaluator } from './regex.ts';
import { webhookEvaluator } from './webhook.ts';

/** Every evaluator by its kind. */
export const EVALUATORS: { [Kind in EvaluatorKind]: Evaluator<Kind> } = {
  llm: llmEvaluator,
  checklist: checklistEvaluator,
  comparison: comparisonEvaluator,
  regex: regexEvaluator,
  json_schema: jsonSchemaEvaluator,
  reference: referenceEvaluator,
  function: functionEvaluator,
  python_tests: pythonTestsEvaluator,
  webhook: webhookEvaluator,
  human: humanEvaluator,
};
