import type { Criterion } from '#lib/core/criterion.ts';
import { schemaProblem } from './check-schema.ts';
import { patternProblem } from './compile-pattern.ts';
import { functionProblem } from './function.ts';

/** What of a criterion's config cannot be used though it has the right shape: its key, and why as the end of a sentence. Null when all can. */
export async function criterionProblem(criterion: Criterion): Promise<{ key: string; problem: string } | null> {
  switch (criterion.evaluator) {
    case 'llm':
    case 'checklist':
    case 'comparison':
    case 'webhook':
    case 'human':
      return null;
    case 'regex':
      return found('pattern', patternProblem(criterion.config.pattern, criterion.config.flags));
    case 'json_schema':
      return found('schema', await schemaProblem(criterion.config.schema));
    case 'reference':
      return criterion.config.extract === undefined ? null : found('extract', patternProblem(criterion.config.extract));
    case 'python_tests':
      return null;
    case 'function':
      return found('code', await functionProblem(criterion.config.code));
  }
}

function found(key: string, problem: string | null): { key: string; problem: string } | null {
  return problem === null ? null : { key, problem };
}
