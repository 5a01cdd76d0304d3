import type { Case } from '#lib/reflection/case.ts';
import type { PromptfooAssertion, PromptfooConfig, PromptfooTest } from './promptfoo-config.ts';

/**
 * A test with the defaults in it: one case, what is asserted of it, the number of its test (from 1), the score from which it passes where it
 * says so, its variables, and what is done to its output before it is looked at.
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

/** Where one of several variables must be the input, the likeliest names. */
const LIKELY = ['input', 'question', 'query', 'user_input', 'prompt', 'message', 'text', 'task', 'topic', 'content'];
const MOST_CASES = 100_000;
/** Variables, metadata and assertions of all cases together, as those of `defaultTest` stand in each. */
const MOST_PARTS = 1_000_000;
/** Assertions of one test that are looked at: a case has far fewer criteria. */
const MOST_ASSERTIONS = 200;

/**
 * The tests of a configuration as cases. One variable becomes the input: the only one, else one with a likely name, else the first; the
 * others become metadata. Lists of values are multiplied out, as promptfoo does. Where there are no variables, the prompt itself is the input.
 */
export function promptfooCases(config: PromptfooConfig): PromptfooCases {
  const notTaken: string[] = [];
  const given = testsOf(config);
  const defaults = typeof config.defaultTest === 'object' ? config.defaultTest : {};
  if (typeof config.defaultTest === 'string') notTaken.push(`defaultTest ${config.defaultTest}: files are not read`);
  if (config.scenarios !== undefined) notTaken.push('scenarios');
  const tests = given.flatMap((test, at) => {
    if (typeof test !== 'string') return [{ test, number: at + 1 }];
    notTaken.push(`tests ${test}: files are not read; import a table as CSV`);
    return [];
  });
  const most = Math.max(1, Math.min(MOST_CASES, Math.floor(MOST_PARTS / (1 + sharedParts(defaults)))));
  let made = 0;
  const sets = tests.flatMap(({ test, number }) => {
    if (made > most) return [];
    if (typeof test.vars === 'string') {
      notTaken.push(`test ${number}: vars ${test.vars}: files are not read`);
      return [];
    }
    const defaultVars = typeof defaults.vars === 'object' ? defaults.vars : {};
    const vars = { ...defaultVars, ...test.vars };
    const file = Object.entries(vars).find(([, value]) => typeof value === 'string' && value.startsWith('file://'));
    if (file !== undefined) {
      notTaken.push(`test ${number}: ${file[0]} is ${String(file[1])}: files are not read`);
      return [];
    }
    const whole = test.options?.disableVarExpansion === true || defaults.options?.disableVarExpansion === true;
    const ofTest = (whole ? [vars] : multiplied(vars)).map((set) => ({ test, number, vars: set }));
    made += ofTest.length;
    return ofTest;
  });
  if (sets.length > most) notTaken.push(`cases after the first ${most.toLocaleString('en-US')}`);
  const names = namesOf(sets.slice(0, most));
  const inputVariable =
    names.length === 1 ? (names[0] ?? null) : (LIKELY.find((name) => names.includes(name)) ?? names[0] ?? null);
  const fixed = inputVariable === null ? fixedPrompt(config) : '';
  let withoutInput = 0;
  let tooMany: number | null = null;
  const cases = sets.slice(0, most).flatMap(({ test, number, vars }): PromptfooCase[] => {
    const { [inputVariable ?? '']: input, ...others } = vars;
    const text = inputVariable === null ? fixed : asText(input);
    if (text === '') {
      withoutInput += 1;
      return [];
    }
    const metadata = {
      ...defaults.metadata,
      ...test.metadata,
      ...(test.description === undefined ? {} : { description: test.description }),
      ...others,
    };
    const isAlone = test.options?.disableDefaultAsserts === true;
    const all = flattened([...(isAlone ? [] : (defaults.assert ?? [])), ...(test.assert ?? [])]);
    const assertions = all.slice(0, MOST_ASSERTIONS);
    if (all.length > MOST_ASSERTIONS) tooMany ??= number;
    const threshold = test.threshold ?? defaults.threshold ?? null;
    return [
      {
        ...{ case: { input: text, reference: null, tags: [], metadata }, assertions, test: number, vars },
        threshold: threshold === null ? null : Math.min(1, Math.max(0, threshold)),
        transform: transformOf(test) ?? transformOf(defaults),
      },
    ];
  });
  if (tooMany !== null) notTaken.push(`assertions after the first ${MOST_ASSERTIONS} of a test (test ${tooMany})`);
  if (withoutInput > 0)
    notTaken.push(
      `${withoutInput} ${withoutInput === 1 ? 'test' : 'tests'} without a value for ${inputVariable ?? 'any variable'}`,
    );
  return { cases, inputVariable, notTaken };
}

function sharedParts({ vars, metadata, assert }: PromptfooTest): number {
  return Object.keys(Object(vars)).length + Object.keys(metadata ?? {}).length + (assert?.length ?? 0);
}

function namesOf(sets: readonly { vars: Record<string, unknown> }[]): string[] {
  const names = new Set<string>();
  for (const { vars } of sets) for (const name of Object.keys(vars)) names.add(name);
  return [...names];
}

function testsOf({ tests }: PromptfooConfig): (PromptfooTest | string)[] {
  if (typeof tests === 'string') return [tests];
  return Array.isArray(tests) ? tests : tests === undefined ? [] : [tests.path];
}

/** The first prompt that is a text without variables; empty where there is none. */
function fixedPrompt({ prompts }: PromptfooConfig): string {
  const listed: unknown[] = Array.isArray(prompts) ? prompts : [prompts];
  const found = listed.find(
    (one) => typeof one === 'string' && !/\{\{|\{%|^file:\/\/|^[\w./-]+\.\w{2,4}$/.test(one.trim()),
  );
  return typeof found === 'string' ? found.trim() : '';
}

/** A set of assertions that must all hold is as good as the assertions themselves. */
function flattened(assertions: readonly PromptfooAssertion[]): PromptfooAssertion[] {
  return assertions.flatMap((one) => {
    const isSet = one.type === 'assert-set' && one.threshold === undefined && one.assert !== undefined;
    return isSet ? flattened(one.assert ?? []) : [one];
  });
}

function transformOf({ options }: PromptfooTest): string | null {
  const transform = options?.transform ?? options?.postprocess;
  return typeof transform === 'string' && transform.trim() !== '' ? transform : null;
}

/** Every combination of the values of lists, as long as there are not too many. */
function multiplied(vars: Record<string, unknown>): Record<string, unknown>[] {
  const entries = Object.entries(vars);
  let sets: [string, unknown][][] = [[]];
  for (const [name, value] of entries) {
    const values: unknown[] = Array.isArray(value) ? value : [value];
    const made = sets.length * values.length;
    if (made > MOST_CASES || (made > 1 && made * entries.length > MOST_PARTS)) break;
    if (values.length === 1) for (const set of sets) set.push([name, values[0]]);
    else sets = sets.flatMap((set) => values.map((one): [string, unknown][] => [...set, [name, one]]));
  }
  return sets.map((set) => Object.fromEntries(set));
}

/** A value as it stands in a prompt. */
function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
