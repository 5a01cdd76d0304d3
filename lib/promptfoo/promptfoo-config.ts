import { z } from 'zod';
import { isRecord } from '#lib/core/is-record.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { readYaml } from '#lib/formats/read-yaml.ts';
import { yieldToOthers } from '#lib/system/turns.ts';

const anything = z.record(z.string(), z.unknown());

/** Assertion of a test. A set (`assert-set`) contains other assertions. */
export type PromptfooAssertion = {
  type: string;
  value?: unknown;
  threshold?: number | undefined;
  weight?: number | undefined;
  metric?: string | undefined;
  transform?: string | undefined;
  assert?: PromptfooAssertion[] | undefined;
};
const assertionSchema: z.ZodType<PromptfooAssertion> = z.looseObject({
  type: z.string(),
  value: z.unknown().optional(),
  threshold: z.number().optional(),
  weight: z.number().optional(),
  metric: z.string().optional(),
  transform: z.string().optional(),
  assert: z.lazy(() => z.array(assertionSchema)).optional(),
});

const testSchema = z.looseObject({
  description: z.string().optional(),
  vars: z.union([anything, z.string()]).optional(),
  assert: z.array(assertionSchema).optional(),
  metadata: anything.optional(),
  threshold: z.number().optional(),
  options: z
    .looseObject({
      disableVarExpansion: z.boolean().optional(),
      disableDefaultAsserts: z.boolean().optional(),
      transform: z.unknown().optional(),
      postprocess: z.unknown().optional(),
    })
    .optional(),
});
export type PromptfooTest = z.infer<typeof testSchema>;

const configSchema = z.looseObject({
  description: z.string().optional(),
  prompts: z.unknown().optional(),
  providers: z.unknown().optional(),
  targets: z.unknown().optional(),
  /** A list is checked test by test, see `checkedTest`. */
  tests: z.union([z.array(z.never()), z.string(), z.looseObject({ path: z.string() })]).optional(),
});
export type PromptfooConfig = {
  description?: string | undefined;
  prompts?: unknown;
  providers?: unknown;
  targets?: unknown;
  scenarios?: unknown;
  tests?: (PromptfooTest | string)[] | string | { path: string } | undefined;
  defaultTest?: PromptfooTest | string | undefined;
};

/** Maximum characters of a configuration. */
const MAX_CONFIG_LENGTH = 5_000_000;

/**
 * Parses a promptfoo configuration from YAML or JSON (promptfoo.dev/docs/configuration/reference), or a bare list of tests. Refuses YAML
 * tags and merges that would create anything other than plain values, and everything that cannot be a configuration.
 */
export async function readPromptfooConfig(text: string): Promise<Result<PromptfooConfig>> {
  if (text.length > MAX_CONFIG_LENGTH)
    return fail('too_large', 'A promptfoo configuration may have 5,000,000 characters.');
  const read = await readYaml(text);
  if (!read.ok) return read;
  const { value } = read;
  const config = withoutEmpty(withTemplates(Array.isArray(value) ? { tests: value } : value));
  const listed = listSchema.safeParse(config);
  const problems: string[] = [];
  const { defaultTest, ...others } = listed.success ? { ...listed.data, tests: [] } : Object(config);
  const outline = checked(configSchema, isRecord(config) ? others : config, problems);
  const defaults = defaultTest === undefined ? undefined : checkedTest(defaultTest, problems, ['defaultTest']);
  const yielding = yieldToOthers();
  const tests: (PromptfooTest | string)[] = [];
  for (const [at, one] of listed.success ? listed.data.tests.entries() : []) {
    const test = checkedTest(one, problems, ['tests', at]);
    if (problems.length >= MAX_PROBLEMS) break;
    if (test !== null) tests.push(test);
    await yielding();
  }
  if (outline === null || problems.length > 0)
    return fail('invalid', `${problems.slice(0, MAX_PROBLEMS).join(' ')} Nothing was stored.`, 'config');
  return succeed({
    ...outline,
    ...(listed.success && { tests }),
    ...(defaults !== undefined && defaults !== null && { defaultTest: defaults }),
  });
}

/** Maximum number of problems in a message. */
const MAX_PROBLEMS = 20;

/** Removes entries without a value, which YAML reads as null, from the parts of a configuration. Values of variables stay. */
function withoutEmpty(config: unknown): unknown {
  if (!isRecord(config)) return config;
  const { tests, defaultTest, ...others } = config;
  return filled({
    ...others,
    tests: Array.isArray(tests) ? tests.map(filledTest) : tests,
    defaultTest: filledTest(defaultTest),
  });
}

function filledTest(test: unknown): unknown {
  if (!isRecord(test)) return test;
  const { assert } = test;
  return filled({
    ...test,
    assert: Array.isArray(assert) ? assert.map(filled) : assert,
    options: filled(test.options),
  });
}

function filled(value: unknown): unknown {
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null && member !== undefined))
    : value;
}

/** Configuration with a list of tests. Each test is validated separately because there may be many. */
const listSchema = z.looseObject({ tests: z.array(z.unknown()) });

/** Parses a test, which may be the path of a file. */
function checkedTest(value: unknown, problems: string[], path: readonly PropertyKey[]): PromptfooTest | string | null {
  return typeof value === 'string' ? value : checked(testSchema, value, problems, path);
}

/** Parses a part of the configuration. Adds its problems to the list and returns null if there are any. */
function checked<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  problems: string[],
  parentPath: readonly PropertyKey[] = [],
): z.output<Schema> | null {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const { path, message } of parsed.error.issues) {
    const field = [...parentPath, ...path].join('.');
    problems.push(`${field === '' ? 'This' : field} does not match the promptfoo format: ${message}.`);
  }
  return null;
}

const REFERENCE = /^#\/assertionTemplates\/(.+)$/;

/** Resolves references to assertion templates (`$ref`). */
function withTemplates(config: unknown): unknown {
  const read = z.looseObject({ assertionTemplates: anything }).safeParse(config);
  if (!read.success) return config;
  const templates = read.data.assertionTemplates;
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref: reference, ...rest } = Object.fromEntries(Object.entries(value));
    const name = typeof reference === 'string' ? REFERENCE.exec(reference)?.[1] : undefined;
    const template =
      name !== undefined && Object.hasOwn(templates, name) ? anything.safeParse(templates[name]).data : undefined;
    if (template !== undefined) return { ...template, ...rest };
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, walk(member)]));
  };
  return walk(config);
}
