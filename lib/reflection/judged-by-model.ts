import type { Criterion } from './criterion.ts';

/** Whether the judging model scores a criterion. */
export function isJudgedByModel(criterion: Criterion): boolean {
  switch (criterion.evaluator) {
    case 'llm':
    case 'checklist':
      return true;
    case 'regex':
    case 'json_schema':
    case 'reference':
    case 'function':
    case 'webhook':
    case 'human':
      return false;
  }
}

/** Whether scoring a criterion asks a model, be it a judge or another: a call that takes its time and may cost. */
export function asksModelToScore(criterion: Criterion): boolean {
  return isJudgedByModel(criterion) || (criterion.evaluator === 'reference' && criterion.config.match === 'embedding');
}
