import type { CriterionOf } from '#lib/reflection/criterion.ts';
import { NO_SPEND } from '#lib/reflection/history.ts';
import { compileSchema } from './compile-schema.ts';
import { criterionResult, unscored } from './criterion-result.ts';
import type { CriterionResult, Evaluator } from './evaluator.ts';
import { readJsonOutput } from './read-json-output.ts';
import { schemaFault } from './schema-fault.ts';

/**
 * Scores 1 when the output, or the last code fence with JSON in it, is JSON that fits the schema, else 0. Issues name the place
 * and what is wrong there, ten at most; of very long outputs only the first fault is looked for.
 */
export const jsonSchemaEvaluator: Evaluator<'json_schema'> = {
  kind: 'json_schema',
  async evaluate({ criteria, output }) {
    return { ok: true, results: criteria.map((criterion) => judge(criterion, output)), spend: NO_SPEND };
  },
};

const MOST_NAMED = 10;
const LONG_OUTPUT = 200_000;

function judge({ name, config }: CriterionOf<'json_schema'>, output: string): CriterionResult {
  const compiled = compileSchema(config.schema, output.length <= LONG_OUTPUT);
  if (!compiled.ok) return unscored(name, `Not scored: the schema ${compiled.problem}.`);
  const read = readJsonOutput(output);
  if (!read.ok) return failed(name, ['The output is not JSON.'], `The output is not JSON: ${read.problem}`);
  const checked = compiled.check(read.value);
  if (!checked.ok) return unscored(name, `Not scored: ${checked.reason}.`);
  if (checked.errors.length === 0) {
    const reason = 'Holds: the output is JSON that fits the schema.';
    return criterionResult({ criterion: name, score: 1, reason, feedback: `${name}: met` });
  }
  const faults = [...new Set(checked.errors.map((error) => schemaFault(error)))];
  const more = faults.length > MOST_NAMED ? `, the first ${MOST_NAMED} of ${faults.length} faults` : '';
  return failed(name, faults.slice(0, MOST_NAMED), `Fails: the output does not fit the schema${more}.`);
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
