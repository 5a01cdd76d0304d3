import { z } from 'zod';
import { showValue } from '../show-value.ts';
import { criterionShared } from './shared.ts';

const LONGEST_SCHEMA = 50_000;
const DEEPEST_SCHEMA = 40;

/** What came out of JSON is JSON. Not `z.json()`: it refers to itself, which the API's description can't name. */
const anyJson = z.custom<z.core.util.JSONType>(() => true);

/** Scored by whether the output is JSON that fits a schema (JSON Schema 2020-12); whether that can be used is checked where settings come in. */
export const jsonSchemaCriterionSchema = z.strictObject({
  ...criterionShared,
  evaluator: z.literal('json_schema'),
  config: z.strictObject({
    schema: z
      .record(z.string(), anyJson, {
        error: (issue) => `must be a JSON Schema (an object), got ${showValue(issue.input)}`,
      })
      .refine((schema) => !isDeeper(schema, DEEPEST_SCHEMA), {
        error: `must be nested at most ${DEEPEST_SCHEMA} levels deep`,
        abort: true,
      })
      .refine((schema) => JSON.stringify(schema).length <= LONGEST_SCHEMA, {
        error: `must be at most ${LONGEST_SCHEMA.toLocaleString('en-US')} characters as JSON`,
      }),
  }),
});

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}
