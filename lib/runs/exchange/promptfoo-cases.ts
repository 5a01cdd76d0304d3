import type { Case } from '#lib/reflection/case.ts';
import type { PromptfooConfig, PromptfooTest } from './promptfoo-config.ts';

/** A test with the defaults in it: one case, and what is asserted of it. */
export type PromptfooCase = { case: Case; assertions: NonNullable<PromptfooTest['assert']> };
export type PromptfooCases = { cases: PromptfooCase[]; inputVariable: string | null; notTaken: string[] };

/** Where one of several variables must be the input, the likeliest names. */
const LIKELY = ['input', 'question', 'query', 'user_input', 'prompt', 'message', 'text', 'task', 'topic', 'content'];
const MOST_CASES = 100_000;

/**
 * The tests of a configuration as cases. One variable becomes the input: the only one, else one with a likely name, else the first; the
 * others become metadata. Lists of values are multiplied out, as promptfoo does.
 */
export function promptfooCases(config: PromptfooConfig): PromptfooCases {
  const notTaken: string[] = [];
  const given = typeof config.tests === 'string' ? [config.tests] : (config.tests ?? []);
  const defaults = typeof config.defaultTest === 'object' ? config.defaultTest : {};
  if (typeof config.defaultTest === 'string') notTaken.push(`defaultTest ${config.defaultTest}: files are not read`);
  if (config.scenarios !== undefined) notTaken.push('scenarios');
  const tests = given.flatMap((test) => {
    if (typeof test !== 'string') return [test];
    notTaken.push(`tests ${test}: files are not read; import a table as CSV`);
    return [];
  });
  const sets = tests.flatMap((test, at) => {
    if (typeof test.vars === 'string') {
      notTaken.push(`test ${at + 1}: vars ${test.vars}: files are not read`);
      return [];
    }
    const defaultVars = typeof defaults.vars === 'object' ? defaults.vars : {};
    const vars = { ...defaultVars, ...test.vars };
    const file = Object.entries(vars).find(([, value]) => typeof value === 'string' && value.startsWith('file://'));
    if (file !== undefined) {
      notTaken.push(`test ${at + 1}: ${file[0]} is ${String(file[1])}: files are not read`);
      return [];
    }
    const whole = test.options?.disableVarExpansion === true || defaults.options?.disableVarExpansion === true;
    return (whole ? [vars] : multiplied(vars)).map((set) => ({ test, vars: set }));
  });
  if (sets.length > MOST_CASES) notTaken.push(`cases after the first ${MOST_CASES.toLocaleString('en-US')}`);
  const names = [...new Set(sets.flatMap(({ vars }) => Object.keys(vars)))];
  const inputVariable =
    names.length === 1 ? (names[0] ?? null) : (LIKELY.find((name) => names.includes(name)) ?? names[0] ?? null);
  let withoutInput = 0;
  const cases = sets.slice(0, MOST_CASES).flatMap(({ test, vars }): PromptfooCase[] => {
    const { [inputVariable ?? '']: input, ...others } = vars;
    const text = asText(input);
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
    const assertions = [...(defaults.assert ?? []), ...(test.assert ?? [])];
    return [{ case: { input: text, reference: null, tags: [], metadata }, assertions }];
  });
  if (withoutInput > 0)
    notTaken.push(
      `${withoutInput} ${withoutInput === 1 ? 'test' : 'tests'} without a value for ${inputVariable ?? 'any variable'}`,
    );
  return { cases, inputVariable, notTaken };
}

/** Every combination of the values of lists. */
function multiplied(vars: Record<string, unknown>): Record<string, unknown>[] {
  let sets: Record<string, unknown>[] = [{}];
  for (const [name, value] of Object.entries(vars)) {
    const values: unknown[] = Array.isArray(value) ? value : [value];
    if (sets.length * values.length > MOST_CASES) return sets;
    sets = sets.flatMap((set) => values.map((one) => ({ ...set, [name]: one })));
  }
  return sets;
}

/** A value as it stands in a prompt. */
function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
