import type { Criterion } from './criterion.ts';

/** Whether the judging model scores a criterion. */
export function isJudgedByModel(criterion: Criterion): boolean {
  switch (criterion.evaluator) {
    case 'llm':
    case 'checklist':
    case 'comparison':
      return true;
    case 'regex':
    case 'json_schema':
    case 'reference':
    case 'function':
    case 'python_tests':
    case 'webhook':
    case 'human':
      return false;
  }
}

/** Whether scoring a criterion asks a model, be it a judge or another, or takes its time like Python: a call that may cost. */
export function asksModelToScore(criterion: Criterion): boolean {
  return (
    isJudgedByModel(criterion) ||
    criterion.evaluator === 'python_tests' ||
    (criterion.evaluator === 'reference' && criterion.config.match === 'embedding')
  );
}
