import type { Criterion } from './criterion.ts';
import type { ExperimentSettings } from './settings.ts';

/**
 * About how many model calls one evaluation takes: all rubric criteria share one, a comparison asks in both orders, each other
 * criterion that asks a model takes its own. Code that is run is no call.
 */
export function callsOfEvaluation({ criteria }: Pick<ExperimentSettings, 'criteria'>): number {
  const rubric = criteria.some(({ evaluator }) => evaluator === 'llm') ? 1 : 0;
  return criteria.reduce((sum, criterion) => sum + callsOfCriterion(criterion), rubric);
}

function callsOfCriterion(criterion: Criterion): number {
  switch (criterion.evaluator) {
    case 'checklist':
      return 1;
    case 'comparison':
      return 2;
    case 'reference':
      return criterion.config.match === 'embedding' ? 1 : 0;
    case 'llm':
    case 'regex':
    case 'json_schema':
    case 'function':
    case 'python_tests':
    case 'webhook':
    case 'human':
      return 0;
  }
}
