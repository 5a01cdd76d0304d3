import type { EvaluatorKind } from '#lib/core/criterion.ts';

/** What each evaluator is called after "scored by", in the order they are offered. */
export const EVALUATOR_LABELS: Record<EvaluatorKind, string> = {
  llm: 'a model, by rubric',
  checklist: 'a model, by checklist',
  comparison: 'a model, side by side',
  regex: 'a pattern',
  json_schema: 'a JSON schema',
  reference: 'the reference answer',
  function: 'a function in JavaScript',
  python_tests: 'tests in Python',
  webhook: 'a webhook of yours',
  human: 'a person',
};
