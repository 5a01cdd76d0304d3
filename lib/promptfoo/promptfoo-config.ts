import { z } from 'zod';
import type { Case } from '#lib/core/case.ts';
import { isRecord } from '#lib/core/is-record.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { readYaml } from '#lib/formats/read-yaml.ts';
import { isTooDeep, MAX_DEPTH } from '#lib/input/parse-input.ts';
import { yieldToOthers } from '#lib/system/concurrency.ts';

const anything = z.record(z.string(), z.unknown());

/** Assertion of a test. A set (`assert-set`) contains other assertions. */
const assertionSchema = z.looseObject({
  type: z.string(),
  value: z.unknown().optional(),
  threshold: z.number().optional(),
  weight: z.number().optional(),
  metric: z.string().optional(),
  transform: z.string().optional(),
  get assert() {
    return z.array(assertionSchema).optional();
  },
});
export type PromptfooAssertion = z.infer<typeof assertionSchema>;

const arePaths = (texts: string[]) => texts.every((text) => /^file:\/\/|\.\w{2,5}$/.test(text));

const testSchema = z.looseObject({
  description: z.string().optional(),
  /** Variables by name, or the paths of files with them. */
  vars: z.union([anything, z.string(), z.array(z.string()).refine(arePaths)]).optional(),
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
type PromptfooTest = z.infer<typeof testSchema>;

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
  if (isTooDeep(value))
    return fail(
      'invalid',
      `The configuration is nested deeper than ${MAX_DEPTH} levels. Nothing was stored.`,
      'config',
    );
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

/**
 * One case of a test merged with the defaults: its assertions, the number of its test (from 1), its passing score if set, its variables,
 * and the transformation of its output.
 */
export type PromptfooCase = {
  case: Case;
  assertions: PromptfooAssertion[];
  test: number;
  threshold: number | null;
  vars: Record<string, unknown>;
  transform: string | null;
};
export type PromptfooCases = { cases: PromptfooCase[]; inputVariable: string | null; notTaken: string[] };

/** Likely names of the input variable if there are several variables. */
const LIKELY = ['input', 'question', 'query', 'user_input', 'prompt', 'message', 'text', 'task', 'topic', 'content'];
const MAX_CASES = 100_000;
/** Maximum variables, metadata and assertions of all cases together. Those of `defaultTest` are copied to each case. */
const MAX_PARTS = 1_000_000;
/** Maximum characters of all cases and their assertions together. Combinations can be a thousand times longer than their lists. */
export const MAX_CHARACTERS = 50_000_000;
export const TOO_LONG =
  'Once its lists are combined, this configuration has more than 50,000,000 characters. Import it in several parts. Nothing was stored.';
/** Maximum assertions read per test. A case has far fewer criteria. */
const MAX_ASSERTIONS = 200;

/** A test with one combination of its variables. */
type CombinedTest = { test: PromptfooTest; number: number; vars: Record<string, unknown> };

/**
 * Converts the tests of a configuration to cases. The input is the only variable, or else one with a likely name, or else the first. The
 * others become metadata. Lists of texts are expanded to all combinations, like in promptfoo. Without variables, the prompt itself is the
 * input.
 */
export async function promptfooCases(config: PromptfooConfig): Promise<Result<PromptfooCases>> {
  const defaults = typeof config.defaultTest === 'object' ? config.defaultTest : {};
  const notTaken: string[] = [];
  const tests = await combineTests(config, defaults, notTaken);
  const inputVariable = inputVariableOf(tests);
  const fixed = inputVariable === null ? fixedPrompt(config) : '';
  const yielding = yieldToOthers();
  let withoutInput = 0;
  let tooMany: number | null = null;
  let length = 0;
  const cases: PromptfooCase[] = [];
  for (const { test, number, vars } of tests) {
    await yielding();
    const { [inputVariable ?? '']: given, ...others } = vars;
    const input = inputVariable === null ? fixed : asText(given);
    if (input === '') {
      withoutInput += 1;
      continue;
    }
    const { description } = test;
    const metadata = {
      ...defaults.metadata,
      ...test.metadata,
      ...(description !== undefined && { description }),
      ...others,
    };
    length += input.length + JSON.stringify(metadata).length;
    if (length > MAX_CHARACTERS) return fail('too_large', TOO_LONG, 'config');
    const assertions = assertionsOf(test, defaults);
    if (assertions.length > MAX_ASSERTIONS) tooMany ??= number;
    cases.push({
      case: { input, reference: null, tags: [], metadata },
      assertions: assertions.slice(0, MAX_ASSERTIONS),
      ...{ test: number, vars, threshold: thresholdOf(test, defaults) },
      transform: transformOf(test) ?? transformOf(defaults),
    });
  }
  if (tooMany !== null) notTaken.push(`assertions after the first ${MAX_ASSERTIONS} of a test (test ${tooMany})`);
  const which = withoutInput === 1 ? '1 test' : `${withoutInput} tests`;
  if (withoutInput > 0) notTaken.push(`${which} without a value for ${inputVariable ?? 'any variable'}`);
  return succeed({ cases, inputVariable, notTaken });
}

/** Expands the lists in the variables of each test. Adds what it skips to `notTaken`. */
async function combineTests(
  config: PromptfooConfig,
  defaults: PromptfooTest,
  notTaken: string[],
): Promise<CombinedTest[]> {
  const yielding = yieldToOthers();
  if (typeof config.defaultTest === 'string') notTaken.push(`defaultTest ${config.defaultTest}: files are not read`);
  if (isPaths(defaults.vars)) notTaken.push(`defaultTest: vars ${pathsLabel(defaults.vars)}: files are not read`);
  const { assertScoringFunction, options } = defaults;
  for (const [name, value] of Object.entries({ assertScoringFunction, ...options }))
    if (isFile(value) && !TRANSFORMS.includes(name))
      notTaken.push(`defaultTest: ${name} is ${value}: files are not read`);
  const fixed = defaultVariables(defaults, notTaken);
  if (config.scenarios !== undefined) notTaken.push('scenarios');
  const tests = testsOf(config).flatMap((test, at) => {
    if (typeof test !== 'string') return [{ test, number: at + 1 }];
    notTaken.push(`tests ${test}: files are not read (import a table as CSV instead)`);
    return [];
  });
  const most = Math.max(1, Math.min(MAX_CASES, Math.floor(MAX_PARTS / (1 + sharedParts(defaults)))));
  const combined: CombinedTest[] = [];
  let parts = 0;
  for (const { test, number } of tests) {
    const own = test.vars ?? {};
    if (isPaths(own)) {
      notTaken.push(`test ${number}: vars ${pathsLabel(own)}: files are not read`);
      continue;
    }
    const isWhole = test.options?.disableVarExpansion === true || defaults.options?.disableVarExpansion === true;
    const ownParts = Object.keys(own).length;
    for (const vars of combinations(listsOf({ ...fixed, ...own }, number, isWhole, notTaken))) {
      parts += ownParts;
      if (combined.length >= most || parts > MAX_PARTS) {
        notTaken.push(`cases after the first ${combined.length.toLocaleString('en-US')}`);
        return combined;
      }
      combined.push({ test, number, vars });
      await yielding();
    }
    await yielding();
  }
  return combined;
}

/** Returns true for the path of a file with variables, or a list of them. */
function isPaths(vars: PromptfooTest['vars']): vars is string | string[] {
  return typeof vars === 'string' || Array.isArray(vars);
}

function pathsLabel(paths: string | string[]): string {
  return typeof paths === 'string' ? paths : paths.join(', ');
}

/**
 * Returns the variables that apply to all tests. One that is a file is left out and reported once, because otherwise no test would be left.
 */
function defaultVariables({ vars }: PromptfooTest, notTaken: string[]): Record<string, unknown> {
  if (vars === undefined || isPaths(vars)) return {};
  const { files = [], values = [] } = Object.groupBy(Object.entries(vars), ([, value]) =>
    pathsOf(value).length > 0 ? 'files' : 'values',
  );
  for (const [name, value] of files)
    notTaken.push(`defaultTest: ${name} is ${pathsOf(value).join(', ')}: files are not read`);
  return Object.fromEntries(values);
}

function pathsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter(isFile);
}

/** Returns the values of each variable of a test. A variable that is no list, or whose list is not expanded, has one. */
function listsOf(vars: Record<string, unknown>, number: number, isWhole: boolean, notTaken: string[]): List[] {
  return Object.entries(vars).map(([name, value]): List => {
    const isExpanded = Array.isArray(value) && typeof value[0] === 'string' && !isWhole;
    const values: readonly unknown[] = isExpanded ? value : [value];
    for (const file of new Set(values.filter(isFile)))
      notTaken.push(`test ${number}: ${name} is ${file}: files are not read`);
    return [name, values.filter((one) => !isFile(one))];
  });
}

/** Returns the variable that becomes the input, or null if there are no variables. */
function inputVariableOf(tests: readonly CombinedTest[]): string | null {
  const names = new Set<string>();
  for (const { vars } of tests) for (const name of Object.keys(vars)) names.add(name);
  const [first = null] = names;
  return names.size === 1 ? first : (LIKELY.find((name) => names.has(name)) ?? first);
}

function assertionsOf(test: PromptfooTest, defaults: PromptfooTest): PromptfooAssertion[] {
  const isAlone = test.options?.disableDefaultAsserts === true;
  return flattened([...(isAlone ? [] : (defaults.assert ?? [])), ...(test.assert ?? [])]);
}

function sharedParts({ vars, metadata, assert }: PromptfooTest): number {
  return Object.keys(Object(vars)).length + Object.keys(metadata ?? {}).length + (assert?.length ?? 0);
}

function testsOf({ tests }: PromptfooConfig): (PromptfooTest | string)[] {
  if (typeof tests === 'string') return [tests];
  return Array.isArray(tests) ? tests : tests === undefined ? [] : [tests.path];
}

/** Returns the first text prompt without variables, or an empty text. */
function fixedPrompt({ prompts }: PromptfooConfig): string {
  const listed: unknown[] = Array.isArray(prompts) ? prompts : [prompts];
  const found = listed.find(
    (one) => typeof one === 'string' && !/\{\{|\{%|^file:\/\/|^[\w./-]+\.\w{2,4}$/.test(one.trim()),
  );
  return typeof found === 'string' ? found.trim() : '';
}

/** Returns the assertions with sets expanded. A set whose assertions must all pass equals its assertions. */
function flattened(assertions: readonly PromptfooAssertion[]): PromptfooAssertion[] {
  return assertions.flatMap((one) => {
    const isSet = one.type === 'assert-set' && one.threshold === undefined && one.assert !== undefined;
    return isSet ? flattened(one.assert ?? []) : [one];
  });
}

function thresholdOf(test: PromptfooTest, defaults: PromptfooTest): number | null {
  const threshold = test.threshold ?? defaults.threshold;
  return threshold === undefined ? null : Math.min(1, Math.max(0, threshold));
}

function transformOf({ options }: PromptfooTest): string | null {
  const transform = options?.transform ?? options?.postprocess;
  return typeof transform === 'string' && transform.trim() !== '' ? transform : null;
}

/** Options that are reported with the assertions that need them. */
const TRANSFORMS = ['transform', 'postprocess'];

/** A variable with its values. */
type List = readonly [name: string, values: readonly unknown[]];

function isFile(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('file://');
}

/** Yields every combination of the lists' values, the last list varying fastest. None if a list is empty. */
function* combinations(lists: readonly List[]): Generator<Record<string, unknown>> {
  const count = lists.reduce((product, [, values]) => product * values.length, 1);
  for (let at = 0; at < count; at++) {
    let rest = at;
    const set: [string, unknown][] = [];
    for (const [name, values] of lists.toReversed()) {
      set.push([name, values[rest % values.length]]);
      rest = Math.floor(rest / values.length);
    }
    yield Object.fromEntries(set.reverse());
  }
}

/** Formats a value for a prompt. */
function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
