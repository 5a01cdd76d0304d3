import type { CriterionOf } from '#lib/core/criterion-schema.ts';
import { NO_SPEND } from '#lib/core/token-usage.ts';
import { checkSchema, schemaProblem } from './check-schema.ts';
import { type CriterionResult, criterionResult, type Evaluator, problemAt, unscored } from './evaluator.ts';

/**
 * Scores 1 if the output, or its last code fence with JSON, matches the schema, otherwise 0. Reports at most ten issues with their
 * location. Very long outputs are checked only up to the first fault. Runs in a thread.
 */
export const jsonSchemaEvaluator: Evaluator<'json_schema'> = {
  kind: 'json_schema',
  async evaluate({ criteria, output }) {
    const results = await Promise.all(criteria.map((criterion) => judge(criterion, output)));
    return { ok: true, results, spend: NO_SPEND };
  },
  async problem({ schema }) {
    return problemAt('schema', await schemaProblem(schema));
  },
};

async function judge({ name, config }: CriterionOf<'json_schema'>, output: string): Promise<CriterionResult> {
  const checked = await checkSchema(config.schema, output);
  switch (checked.type) {
    case 'unusable':
      return unscored(name, `Not scored: the schema ${checked.problem}.`);
    case 'unchecked':
      return unscored(name, `Not scored: ${checked.reason}.`);
    case 'not_json':
      return failed(name, ['The output is not JSON.'], `The output is not JSON: ${checked.problem}`);
    case 'checked': {
      const { faults, count } = checked;
      const met = 'Correct: the output is JSON that matches the schema.';
      if (count === 0) return criterionResult({ criterion: name, score: 1, reason: met, feedback: `${name}: met` });
      const more = count > faults.length ? `, the first ${faults.length} of ${count} errors` : '';
      return failed(name, faults, `Incorrect: the output does not match the schema${more}.`);
    }
  }
}

function failed(name: string, faults: string[], reason: string): CriterionResult {
  return criterionResult({
    criterion: name,
    score: 0,
    reason,
    issues: faults.map((text) => ({ criterion: name, text })),
    feedback: [`${name}: not met`, ...faults.map((text) => `- ${text}`)].join('\n'),
    detail: [reason, ...faults].join('\n'),
  });
}
