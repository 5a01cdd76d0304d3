import { z } from 'zod';
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

const listedTestSchema = z.union([testSchema, z.string()]);

const configSchema = z.looseObject({
  description: z.string().optional(),
  prompts: z.unknown().optional(),
  providers: z.unknown().optional(),
  targets: z.unknown().optional(),
  tests: z.union([z.array(listedTestSchema), z.string(), z.looseObject({ path: z.string() })]).optional(),
  defaultTest: z.union([testSchema, z.string()]).optional(),
});
export type PromptfooConfig = z.infer<typeof configSchema>;

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
  const config = withTemplates(Array.isArray(value) ? { tests: value } : value);
  const listed = listSchema.safeParse(config);
  if (!listed.success) return checked(configSchema, config);
  const outline = checked(configSchema, { ...listed.data, tests: [] });
  if (!outline.ok) return outline;
  const yielding = yieldToOthers();
  const tests: (PromptfooTest | string)[] = [];
  for (const [at, one] of listed.data.tests.entries()) {
    const test = checked(listedTestSchema, one, ['tests', at]);
    if (!test.ok) return test;
    tests.push(test.value);
    await yielding();
  }
  return succeed({ ...outline.value, tests });
}

/** Configuration with a list of tests. Each test is validated separately because there may be many. */
const listSchema = z.looseObject({ tests: z.array(z.unknown()) });

function checked<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  place: readonly PropertyKey[] = [],
): Result<z.output<Schema>> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return succeed(parsed.data);
  const issue = parsed.error.issues[0];
  const field = [...place, ...(issue?.path ?? [])].join('.');
  return fail(
    'invalid',
    `${field === '' ? 'This' : field} is not as promptfoo has it: ${issue?.message ?? ''}. Nothing was stored.`,
    field === '' ? null : field,
  );
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
