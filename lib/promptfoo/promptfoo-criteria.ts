import type { Case, CaseCriteria } from '#lib/core/case.ts';
import { criterionSchema } from '#lib/core/criterion-schema.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { readYaml } from '#lib/formats/read-yaml.ts';
import { isTooDeep } from '#lib/input/parse-input.ts';
import { yieldToOthers } from '#lib/system/concurrency.ts';
import { criterionOfAssertion, type Made } from './promptfoo-assertion.ts';
import { MAX_CHARACTERS, type PromptfooAssertion, type PromptfooCase, TOO_LONG } from './promptfoo-config.ts';

/** Criterion in the form an experiment accepts. */
export type DraftedCriterion = {
  name: string;
  description: string;
  weight: number;
  /** Null if promptfoo leaves it to the grader, so that the overall threshold applies. */
  threshold: number | null;
  evaluator: Made['evaluator'];
  config: Record<string, unknown>;
};

export type PromptfooCriteria = { cases: Case[]; criteria: readonly DraftedCriterion[]; notTaken: string[] };

/** Returns the reason why a criterion is unusable, such as a pattern of another engine, or null. */
export type CheckCriterion = (criterion: DraftedCriterion) => Promise<string | null>;

const MAX_CRITERIA = 50;

/** Assertion of one case, with its translation if possible. */
type Translated = {
  assertion: PromptfooAssertion;
  key: string;
  made: DraftedCriterion | null;
  why: string;
  reference: string | null;
};

/**
 * Translates assertions to criteria: of the experiment if every case has the same ones, and otherwise of the case. Expected answers
 * (`equals`, `contains`, `icontains`) that differ per case become references. `isShared` false keeps all criteria with the cases because no
 * experiment is created. Reports untranslatable assertions with their tests and reasons.
 */
export async function promptfooCriteria(
  all: readonly PromptfooCase[],
  { inputVariable, check, isShared }: { inputVariable: string | null; check: CheckCriterion; isShared: boolean },
): Promise<Result<PromptfooCriteria>> {
  const yielding = yieldToOthers();
  const left = new Map<string, Set<number>>();
  const leave = (reason: string, test: number) => left.set(reason, (left.get(reason) ?? new Set()).add(test));
  const translated: Translated[][] = [];
  // Number of cases that contain each assertion.
  const counts = new Map<string, number>();
  let length = 0;
  for (const one of all) {
    await yielding();
    const ofTest: Translated[] = [];
    for (const assertion of one.assertions) {
      const found = await translate(assertion, one, inputVariable, check);
      length += found.key.length;
      if (length > MAX_CHARACTERS) return fail('too_large', TOO_LONG, 'config');
      await yielding();
      if (found.made === null) leave(`assert ${assertion.type}: ${found.why}`, one.test);
      else ofTest.push(found);
    }
    translated.push(ofTest);
    for (const key of new Set(ofTest.map((found) => found.key))) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const answers = commonAnswer(translated);
  const { experiment, shared } = isShared ? criteriaOfAll(translated, counts, answers) : NONE_SHARED;
  const cases: Case[] = [];
  for (const [at, one] of all.entries()) {
    const taken = { answers, shared, experiment, leave: (reason: string) => leave(reason, one.test) };
    cases.push(ofCase(one, translated[at] ?? [], taken));
    await yielding();
  }
  const tests = new Set(all.map(({ test }) => test));
  const notTaken = Array.from(left, ([reason, of]) => `${reason}${casesLabel(of, tests)}`);
  return succeed({ cases, criteria: experiment, notTaken });
}

type Shared = { experiment: readonly DraftedCriterion[]; shared: ReadonlyMap<string, DraftedCriterion> };
const NONE_SHARED: Shared = { experiment: [], shared: new Map() };

/** Returns the criteria that every case has, and those of assertions by key. `counts`: number of cases that contain each assertion. */
function criteriaOfAll(
  translated: readonly Translated[][],
  counts: ReadonlyMap<string, number>,
  answers: Answers | null,
): Shared {
  const ofAll = answers?.isOfAll === true ? answers.kind : null;
  const experiment = ofAll === null ? [] : [byReference(ofAll, [])];
  const shared = new Map<string, DraftedCriterion>();
  for (const { key, made, assertion } of translated[0] ?? []) {
    if (made === null || shared.has(key) || counts.get(key) !== translated.length) continue;
    if (ofAll !== null && isAnswer({ assertion, made }, ofAll)) continue;
    const drafted = { ...made, ...nameOf(assertion.type, assertion.metric, experiment) };
    experiment.push(drafted);
    shared.set(key, drafted);
  }
  return { experiment, shared };
}

type Answers = { kind: AnswerKind; isOfAll: boolean };
type Taken = Shared & { answers: Answers | null; leave: (reason: string) => void };

function ofCase(
  { case: task, threshold }: PromptfooCase,
  translated: readonly Translated[],
  { answers, shared, experiment, leave }: Taken,
): Case {
  const answer = translated.find((one) => answers !== null && isAnswer(one, answers.kind) && !shared.has(one.key));
  const reference = answer === undefined ? null : expectedOf(answer.assertion);
  const known = reference ?? translated.find((one) => one.reference !== null)?.reference ?? null;
  const isByExperiment = answers !== null && experiment.some(({ name }) => name === answers.kind);
  const drafted: DraftedCriterion[] = [];
  for (const one of translated) {
    if (one.made === null) continue;
    const before = [...experiment, ...drafted];
    const ofAll = shared.get(one.key);
    if (one === answer && answers !== null) {
      if (!isByExperiment) drafted.push({ ...byReference(answers.kind, before), weight: one.made.weight });
    } else if (ofAll === undefined) {
      const named = { ...one.made, ...nameOf(one.assertion.type, one.assertion.metric, before) };
      drafted.push(withFacts(named, one.reference, known));
    } else if (one.reference !== null && one.reference !== known) drafted.push(withFacts(ofAll, one.reference, known));
  }
  const most = Math.max(0, MAX_CRITERIA - experiment.length);
  if (drafted.length > most) leave(`assertions beyond ${MAX_CRITERIA} of a test`);
  const criteria = caseCriteria(drafted.slice(0, most), experiment, threshold);
  return { ...task, reference: known, ...(criteria !== null && { criteria }) };
}

/** Returns what a test changes in the criteria of the experiment, or null for nothing. */
function caseCriteria(
  added: readonly DraftedCriterion[],
  experiment: readonly DraftedCriterion[],
  threshold: number | null,
): CaseCriteria | null {
  if (threshold === null) {
    if (added.length === 0) return null;
    return { others: 'on', change: {}, add: added.map((one) => criterionSchema.parse(one)), qualityThreshold: null };
  }
  // If a test has a threshold, promptfoo passes it by its total score alone.
  const changed = experiment.filter((one) => one.threshold !== null);
  return {
    others: 'on',
    change: Object.fromEntries(changed.map(({ name }) => [name, { threshold: null }])),
    add: added.map((one) => criterionSchema.parse({ ...one, threshold: null })),
    qualityThreshold: threshold,
  };
}

function byReference(kind: AnswerKind, before: readonly { name: string }[]): DraftedCriterion {
  const { does, ...config } = REFERENCE[kind];
  const description = `The output ${does}.`;
  return { evaluator: 'reference', config, description, ...nameOf(kind, undefined, before), weight: 1, threshold: 1 };
}

/** A case has only one reference, so a second text is inserted into the rubric. */
function withFacts(criterion: DraftedCriterion, facts: string | null, reference: string | null): DraftedCriterion {
  if (facts === null || facts === reference) return criterion;
  const rubric = String(criterion.config.rubric).replace('{{reference}}', () => withoutVariables(facts));
  return { ...criterion, config: { rubric } };
}

async function translate(
  assertion: PromptfooAssertion,
  { vars, transform }: PromptfooCase,
  inputVariable: string | null,
  check: CheckCriterion,
): Promise<Translated> {
  const isRubric = /^(?:not-)?(?:llm-rubric|model-graded-closedqa|g-eval)$/.test(assertion.type);
  const resolved = resolve(assertion.value, (name) => variableOf(vars, name, isRubric ? inputVariable : false));
  const { value } = resolved;
  const resolvedAssertion = await withSchema({ ...assertion, ...(assertion.value !== undefined && { value }) });
  const none = { assertion: resolvedAssertion, key: '', made: null, reference: null };
  if (resolved.problem !== null) return { ...none, why: resolved.problem };
  const of = assertion.transform ?? transform;
  const made = criterionOfAssertion(resolvedAssertion, { inputVariable, transform: of ?? null });
  if (typeof made === 'string') return { ...none, why: made };
  const { reference = null, threshold, ...rest } = made;
  const weight = assertion.weight === undefined ? 1 : Math.min(100, Math.max(0, assertion.weight));
  const isGraded = made.evaluator === 'llm';
  const limit = isGraded && assertion.threshold !== undefined ? clamp(assertion.threshold) : threshold;
  // promptfoo always passes an assertion with weight 0.
  const drafted = { ...rest, name: 'check', weight, threshold: weight === 0 ? null : limit };
  const why = await check(drafted);
  const instead = why !== null && made.evaluator === 'regex' ? await byFunction(drafted, check) : null;
  const usable = why === null ? drafted : instead;
  if (usable === null) return { ...none, why: why ?? '' };
  return { ...none, key: keyOf(resolvedAssertion, usable), made: usable, why: '', reference };
}

/** Parses the schema of `is-json` that is a text of JSON or YAML. Leaves other assertions and texts unchanged. */
async function withSchema(assertion: PromptfooAssertion): Promise<PromptfooAssertion> {
  const { type, value } = assertion;
  if (type !== 'is-json' || typeof value !== 'string') return assertion;
  const read = await readYaml(value);
  return read.ok && !isTooDeep(read.value) ? { ...assertion, value: read.value } : assertion;
}

/** Converts a pattern that Hone's engine does not support, such as a lookahead, to a function criterion. */
async function byFunction(criterion: DraftedCriterion, check: CheckCriterion): Promise<DraftedCriterion | null> {
  const { pattern, flags = '', mustMatch } = criterion.config;
  const test = `new RegExp(${JSON.stringify(pattern)}, ${JSON.stringify(flags)}).test(output)`;
  const code = `function evaluate({ output }) {\n  return ${mustMatch === false ? `!${test}` : test};\n}`;
  const made: DraftedCriterion = { ...criterion, evaluator: 'function', config: { code } };
  if (!isPattern(String(pattern))) return null;
  return (await check(made)) === null ? made : null;
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}

function keyOf({ type, metric }: PromptfooAssertion, made: DraftedCriterion): string {
  return JSON.stringify([type, metric ?? null, made]);
}

type AnswerKind = 'equals' | 'contains' | 'icontains';
const ANSWERS: readonly AnswerKind[] = ['equals', 'contains', 'icontains'];
const REFERENCE: Record<AnswerKind, { match: string; normalize: string; does: string }> = {
  equals: { match: 'exact', normalize: 'trim', does: 'equals the reference' },
  contains: { match: 'contains', normalize: 'none', does: 'contains the reference' },
  icontains: { match: 'contains', normalize: 'lower', does: 'contains the reference, ignoring case' },
};

/**
 * Returns the most frequent kind of expected answer that no case has twice, or null. `isOfAll` is true if every case has one without weight
 * or metric.
 */
function commonAnswer(translated: readonly Translated[][]): Answers | null {
  const found = ANSWERS.flatMap((kind) => {
    const answers = translated.map((ofTest) => ofTest.filter((one) => isAnswer(one, kind)));
    const texts = answers.flat().map(({ assertion }) => expectedOf(assertion));
    const isAlike = translated.length > 1 && texts.length === translated.length && new Set(texts).size === 1;
    if (texts.length === 0 || texts.includes(null) || isAlike || answers.some(({ length }) => length > 1)) return [];
    const isPlain = answers
      .flat()
      .every(({ assertion }) => (assertion.weight ?? 1) === 1 && assertion.metric === undefined);
    return [{ kind, isOfAll: texts.length === translated.length && isPlain, count: texts.length }];
  });
  return found.toSorted((one, other) => other.count - one.count)[0] ?? null;
}

/** Returns true if an assertion checks the unmodified output against a text. */
function isAnswer({ assertion, made }: Pick<Translated, 'assertion' | 'made'>, kind: AnswerKind): boolean {
  return assertion.type === kind && made?.evaluator === 'regex';
}

function expectedOf({ value }: PromptfooAssertion): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

function nameOf(type: string, metric: string | undefined, before: readonly { name: string }[]): { name: string } {
  const base =
    (metric ?? type)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '_')
      .replaceAll(/^_+|_+$/g, '')
      .slice(0, 40) || 'check';
  const usedNames = new Set(before.map(({ name }) => name));
  let name = base;
  for (let at = 2; usedNames.has(name); at++) name = `${base}_${at}`;
  return { name };
}

/** Replaces a template's variables with their values. Returns a problem if the template uses logic that Hone does not support. */
function resolve(value: unknown, read: (name: string) => string | null): { value: unknown; problem: string | null } {
  let problem: string | null = null;
  const fill = (text: string): string => {
    if (/\{%|\{#/.test(text)) problem = 'its value is a template with logic ({% … %})';
    return text.replaceAll(/\{\{-?\s*([^{}]*?)\s*-?\}\}/g, (_, name: string) => {
      const plainName = /^(?:vars\.)?([\w-]+)$/.exec(name)?.[1];
      if (plainName === undefined) problem = `its value has {{${name}}}, which is more than a variable`;
      return plainName === undefined ? '' : (read(plainName) ?? '');
    });
  };
  const walk = (one: unknown): unknown => {
    if (typeof one === 'string') return fill(one);
    if (Array.isArray(one)) return one.map(walk);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([key, member]) => [key, walk(member)]));
  };
  const made = walk(value);
  return { value: made, problem };
}

/** Returns the replacement of a variable: its Hone placeholder in a rubric, and otherwise its value. `input` false requests values. */
function variableOf(vars: Record<string, unknown>, name: string, input: string | null | false): string | null {
  if (input !== false && name === 'output') return '{{output}}';
  const value = Object.hasOwn(vars, name) ? vars[name] : undefined;
  if (value === undefined || value === null) return null;
  if (input !== false) return name === input ? '{{input}}' : `{{metadata.${name}}}`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Formats the test numbers for a message. Empty if all tests are affected. */
function casesLabel(of: ReadonlySet<number>, all: ReadonlySet<number>): string {
  if (of.size === all.size) return '';
  const numbers = [...of].sort((one, other) => one - other);
  const named = numbers.slice(0, 5).join(', ');
  const more = numbers.length - 5;
  return ` (${numbers.length === 1 ? 'test' : 'tests'} ${named}${more > 0 ? ` and ${more} more` : ''})`;
}

/** Breaks up double braces so that they are not parsed as variables. */
function withoutVariables(text: string): string {
  return text.replaceAll('{{', '{ {').replaceAll('}}', '} }');
}

function clamp(threshold: number): number {
  return Math.min(1, Math.max(0, threshold));
}
