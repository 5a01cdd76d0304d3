import { z } from 'zod';
import { integerBetween, promptTextSchema } from '#lib/core/setting-parts.ts';
import { showValue } from '#lib/core/text-values.ts';
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

/** A pattern in RE2 syntax; whether it compiles is checked where settings come in. */
export const patternSchema = z
  .string({ error: (issue) => `must be a pattern of 1 to 2,000 characters, got ${showValue(issue.input)}` })
  .min(1, { error: 'must be a pattern of 1 to 2,000 characters' })
  .max(2_000, { error: 'must be a pattern of 1 to 2,000 characters' });

/** Scored by whether, or how often, a pattern matches. */
export const regexCriterionSchema = z.strictObject({
  ...criterionShared,
  evaluator: z.literal('regex'),
  config: z
    .strictObject({
      pattern: patternSchema,
      flags: z
        .string()
        .regex(/^[ims]*$/, { error: 'may hold i (any case), m (lines), s (dot matches line ends)' })
        .optional(),
      mustMatch: z.boolean().default(true),
      min: integerBetween(0, 1_000_000).optional(),
      max: integerBetween(0, 1_000_000).optional(),
    })
    .refine((config) => config.min === undefined || config.max === undefined || config.min <= config.max, {
      path: ['min'],
      error: 'must not be above max',
    }),
});

/** A test function, a method of a test case, or a place for tests of the case's own; whether they can be run is seen when they are. */
const TEST = /^[ \t]*(async[ \t]+)?def[ \t]+test\w*[ \t]*\(|\{\{\s*metadata\.[\w-]+\s*\}\}/m;

/**
 * Scored by Python unit tests: the share that passes. Those whose name begins with `test_hidden` are
 * never shown to models. `{{metadata.x}}` stands for a text of the case, so that each case may bring tests of its own.
 */
export const pythonTestsCriterionSchema = z.strictObject({
  ...criterionShared,
  evaluator: z.literal('python_tests'),
  config: z.strictObject({
    tests: promptTextSchema.regex(TEST, { error: 'must hold at least one Python test, such as def test_adds():' }),
    timeoutMs: integerBetween(100, 60_000).default(5_000),
  }),
});

/** Scored by a person's JavaScript, which must define a function `evaluate`; whether it does is checked where settings come in. */
export const functionCriterionSchema = z.strictObject({
  ...criterionShared,
  evaluator: z.literal('function'),
  config: z.strictObject({
    code: promptTextSchema.min(1, { error: 'must hold JavaScript that defines a function evaluate' }),
  }),
});
