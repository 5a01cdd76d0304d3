import { z } from 'zod';
import { isRecord } from './is-record.ts';
import {
  areUnique,
  integerBetween,
  jsonSchemaSetting,
  mustBe,
  nameSchema,
  numberBetween,
  oneOf,
  promptTextSchema,
} from './setting-parts.ts';
import { showValue } from './text-values.ts';

/**
 * Settings of every criterion, regardless of the evaluator. Weights 0 to 100. `threshold`, 0 to 1, applies in addition to the overall
 * `qualityThreshold`. Null (the default): only the overall one applies. Settings stored before null was the default contain the 0.7 that
 * they ran with, and keep it.
 */
export const criterionShared = {
  name: nameSchema.describe('Name of the criterion, unique within the experiment.'),
  description: z
    .string()
    .max(2_000, { error: 'must be at most 2,000 characters' })
    .default('')
    .describe('Description of a good output. Judges read it.'),
  weight: numberBetween(0, 100).default(1).describe('Weight in the overall score.'),
  threshold: numberBetween(0, 1)
    .nullable()
    .default(null)
    .describe("The criterion's own threshold. Null: only the overall threshold counts."),
};

const LENGTHS = 'must be 1 to 50 items';
const itemSchema = z
  .string({ error: mustBe('a text of 1 to 500 characters') })
  .trim()
  .min(1, { error: 'must not be empty (1 to 500 characters)' })
  .max(500, { error: 'must be at most 500 characters' });

/** A pattern in RE2 syntax. It is compiled when settings are validated. */
const patternSchema = z
  .string({ error: mustBe('a pattern of 1 to 2,000 characters') })
  .min(1, { error: 'must be a pattern of 1 to 2,000 characters' })
  .max(2_000, { error: 'must be a pattern of 1 to 2,000 characters' });

/** Normalization of two answers before the `reference` evaluator compares them. */
const normalizationSchema = oneOf(['none', 'trim', 'lower', 'squad']);

/** A test function, a method of a test case, or a placeholder for tests of the case. Errors in the tests only appear when they run. */
const TEST = /^[ \t]*(async[ \t]+)?def[ \t]+test\w*[ \t]*\(|\{\{\s*metadata\.[\w-]+\s*\}\}/m;

function criterionOf<const Kind extends string, Config extends z.ZodType>(kind: Kind, config: Config) {
  return z.strictObject({ ...criterionShared, evaluator: z.literal(kind), config });
}

/** Criterion schema of each evaluator kind. Everything else about a kind is in `criteria/`, which pages import without the schemas. */
const CRITERION_SCHEMAS = {
  llm: criterionOf('llm', z.strictObject({ rubric: promptTextSchema.optional() }).default({})),
  checklist: criterionOf(
    'checklist',
    z.strictObject({
      items: z
        .array(itemSchema, { error: mustBe('a list of 1 to 50 items') })
        .min(1, { error: LENGTHS })
        .max(50, { error: LENGTHS })
        .refine(areUnique, { error: 'must not contain an item twice' }),
    }),
  ),
  comparison: criterionOf('comparison', z.strictObject({ against: oneOf(['previous', 'best', 'reference']) })),
  regex: criterionOf(
    'regex',
    z
      .strictObject({
        pattern: patternSchema,
        flags: z
          .string()
          .regex(/^[ims]*$/, { error: 'may contain i (any case), m (lines), s (dot matches line ends)' })
          .optional(),
        mustMatch: z.boolean().default(true),
        min: integerBetween(0, 1_000_000).optional(),
        max: integerBetween(0, 1_000_000).optional(),
      })
      .refine((config) => config.min === undefined || config.max === undefined || config.min <= config.max, {
        path: ['min'],
        error: 'must not be above max',
      }),
  ),
  json_schema: criterionOf('json_schema', z.strictObject({ schema: jsonSchemaSetting })),
  reference: criterionOf(
    'reference',
    z
      .strictObject({
        match: oneOf(['exact', 'contains', 'numeric', 'token_f1', 'edit', 'embedding', 'tool_calls']),
        normalize: normalizationSchema.optional(),
        extract: patternSchema.optional(),
        tolerance: numberBetween(0, 1e12).optional(),
      })
      .refine((config) => config.tolerance === undefined || config.match === 'numeric', {
        path: ['tolerance'],
        error: 'is only used with match "numeric"',
      }),
  ),
  function: criterionOf(
    'function',
    z.strictObject({
      code: promptTextSchema.min(1, { error: 'must contain JavaScript that defines a function evaluate' }),
    }),
  ),
  python_tests: criterionOf(
    'python_tests',
    z.strictObject({
      tests: promptTextSchema.regex(TEST, { error: 'must contain at least one Python test, such as def test_adds():' }),
      timeoutMs: integerBetween(100, 60_000).default(5_000),
    }),
  ),
  webhook: criterionOf('webhook', z.strictObject({ name: nameSchema })),
  target: criterionOf('target', z.strictObject({})),
  human: criterionOf(
    'human',
    z
      .strictObject({
        question: z.string().trim().max(2_000, { error: 'must be at most 2,000 characters' }).optional(),
      })
      .default({}),
  ),
};

export type EvaluatorKind = keyof typeof CRITERION_SCHEMAS;

const { llm, ...others } = CRITERION_SCHEMAS;

/** One criterion of an experiment. The content of `config` depends on the evaluator. */
export const criterionSchema = z.discriminatedUnion('evaluator', [llm, ...Object.values(others)], {
  error: (issue) => evaluatorMessage(issue.input),
});
export type Criterion = z.infer<typeof criterionSchema>;
/** A criterion of one evaluator kind. */
export type CriterionOf<Kind extends EvaluatorKind> = Extract<Criterion, { evaluator: Kind }>;

function evaluatorMessage(input: unknown): string {
  if (!isRecord(input)) return `must be an object, got ${showValue(input)}`;
  const kinds = Object.keys(CRITERION_SCHEMAS).join(', ');
  return `must be one of ${kinds}, got ${showValue(input.evaluator)}`;
}
