import { describe, expect, test } from 'vitest';
import { askScript, evaluateWith, settingsWith } from '#lib/core/ask.test-support.ts';
import { JSON_SCHEMA_EXAMPLES } from '#lib/core/criteria/json-schema.ts';
import { criterionSchema } from '#lib/core/criterion-schema.ts';
import { criterionProblem } from './evaluate-output.ts';

function criterionOf(code: string) {
  return criterionSchema.parse({ name: 'own', evaluator: 'json_schema', config: { schema: JSON.parse(code) } });
}

describe('example schemas', () => {
  test.each(JSON_SCHEMA_EXAMPLES)('$name is valid unchanged', async ({ code }) => {
    expect(await criterionProblem(criterionOf(code))).toBeNull();
  });

  test.each([
    ['object', '{"title": "Mend", "priority": "low"}', 1],
    ['object', '{"title": "Mend", "priority": "urgent"}', 0],
    ['list', '[{"question": "Why?", "answer": "So."}]', 1],
    ['list', '[{"question": "Why", "answer": "So."}]', 0],
  ])('%s scores %s', async (name, output, score) => {
    const code = JSON_SCHEMA_EXAMPLES.find((example) => example.name === name)?.code ?? '';
    const outcome = await evaluateWith({
      settings: settingsWith([criterionOf(code)]),
      case: { input: 'any', reference: null, tags: [], metadata: {} },
      output,
      ask: askScript([]).ask,
    });
    expect(outcome.ok && outcome.evaluation.criteriaScores.own).toBe(score);
  });
});
