import type { Criterion } from './criterion.ts';

/** Whether a case's reference may change how a criterion is scored. */
export function mayUseReference(criterion: Criterion): boolean {
  switch (criterion.evaluator) {
    case 'reference':
    case 'webhook':
      return true;
    case 'comparison':
      return criterion.config.against === 'reference';
    case 'function':
      return criterion.config.code.includes('reference');
    case 'python_tests':
    case 'llm':
    case 'checklist':
    case 'regex':
    case 'json_schema':
    case 'human':
      return false;
  }
}
