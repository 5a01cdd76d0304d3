import type { Criterion } from '#lib/core/criterion.ts';

/** The long text a criterion is scored by, as a person wrote it; null where there is none. */
export function criterionCode(criterion: Criterion): string | null {
  switch (criterion.evaluator) {
    case 'function':
      return criterion.config.code;
    case 'python_tests':
      return criterion.config.tests;
    case 'json_schema':
      return JSON.stringify(criterion.config.schema, null, 2);
    case 'checklist':
      return criterion.config.items.map((item) => `- ${item}`).join('\n');
    case 'llm':
      return criterion.config.rubric ?? null;
    case 'regex':
    case 'reference':
    case 'comparison':
    case 'webhook':
    case 'human':
      return null;
  }
}
