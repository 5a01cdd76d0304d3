import type { Case } from '#lib/core/case.ts';
import type { CaseCriteria } from '#lib/core/case-criteria-schema.ts';
import { criterionSchema } from '#lib/core/criterion-schema.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { yieldToOthers } from '#lib/system/turns.ts';
import { criterionOfAssertion, type Made } from './promptfoo-assertion.ts';
import { MOST_CHARACTERS, type PromptfooCase, TOO_LONG } from './promptfoo-cases.ts';
import type { PromptfooAssertion } from './promptfoo-config.ts';

/** A criterion as an experiment takes it. */
export type DraftedCriterion = {
  name: string;
  description: string;
  weight: number;
  /** Null where promptfoo leaves it to the grader: the overall threshold decides. */
  threshold: number | null;
  evaluator: Made['evaluator'];
  config: Record<string, unknown>;
};

type PromptfooCriteria = { cases: Case[]; criteria: DraftedCriterion[]; notTaken: string[] };

/** Says why a criterion cannot be used here, such as a pattern of another engine; null where it can. */
export type CheckCriterion = (criterion: DraftedCriterion) => Promise<string | null>;

const MOST_CRITERIA = 50;

/** One assertion of one case, translated or not. */
type Translated = {
  assertion: PromptfooAssertion;
  key: string;
  made: DraftedCriterion | null;
  why: string;
  reference: string | null;
};

/**
 * What the assertions say, as criteria of the experiment where every case has them alike, else as criteria of the case. Expected answers
 * (`equals`, `contains`, `icontains`) of which each case has one of its own become references. `isShared`: false, where there is to be no
 * experiment: all stay with the cases. What cannot be translated is named with the tests it stands in, and why.
 */
export async function promptfooCriteria(
  all: readonly PromptfooCase[],
  { inputVariable, check, isShared }: { inputVariable: string | null; check: CheckCriterion; isShared: boolean },
): Promise<Result<PromptfooCriteria>> {
  const yielding = yieldToOthers();
  const left = new Map<string, Set<number>>();
  const leave = (words: string, test: number) => left.set(words, (left.get(words) ?? new Set()).add(test));
  const translated: Translated[][] = [];
  // In how many cases each stands.
  const counts = new Map<string, number>();
  let length = 0;
  for (const one of all) {
    await yielding();
    const own: Translated[] = [];
    for (const assertion of one.assertions) {
      const found = await translate(assertion, one, inputVariable, check);
      length += found.key.length;
      if (length > MOST_CHARACTERS) return fail('too_large', TOO_LONG, 'config');
      await yielding();
      if (found.made === null) {
        leave(`assert ${assertion.type}: ${found.why}`, one.test);
      } else own.push(found);
    }
    translated.push(own);
    for (const key of new Set(own.map((found) => found.key))) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const answers = commonAnswer(translated);
  const experiment: DraftedCriterion[] = [];
  const shared = new Map<string, DraftedCriterion>();
  if (isShared && answers?.isOfAll === true) experiment.push(byReference(answers.kind, []));
  for (const { key, made, assertion } of isShared ? (translated[0] ?? []) : []) {
    if (made === null || shared.has(key) || counts.get(key) !== translated.length) continue;
    if (answers?.isOfAll === true && isAnswer({ assertion, made }, answers.kind)) continue;
    const drafted = { ...made, ...nameOf(assertion.type, assertion.metric, experiment) };
    experiment.push(drafted);
    shared.set(key, drafted);
  }
  const cases: Case[] = [];
  for (const [at, one] of all.entries()) {
    const taken = { answers, shared, experiment, leave: (words: string) => leave(words, one.test) };
    cases.push(ofCase(one, translated[at] ?? [], taken));
    await yielding();
  }
  const tests = new Set(all.map(({ test }) => test));
  const notTaken = Array.from(left, ([words, of]) => `${words}${placesOf(of, tests)}`);
  return succeed({ cases, criteria: experiment, notTaken });
}

type Answers = { kind: AnswerKind; isOfAll: boolean };
type Taken = {
  answers: Answers | null;
  shared: ReadonlyMap<string, DraftedCriterion>;
  experiment: readonly DraftedCriterion[];
  leave: (words: string) => void;
};

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
  const most = Math.max(0, MOST_CRITERIA - experiment.length);
  if (drafted.length > most) leave(`assertions beyond ${MOST_CRITERIA} of a test`);
  const add = drafted
    .slice(0, most)
    .map((one) => criterionSchema.parse(threshold === null ? one : { ...one, threshold: null }));
  // With a threshold of its own promptfoo lets the score of the test alone decide.
  const change = Object.fromEntries(
    threshold === null
      ? []
      : experiment.filter((one) => one.threshold !== null).map(({ name }) => [name, { threshold: null }]),
  );
  const criteria: CaseCriteria = { others: 'on', change, add, qualityThreshold: threshold };
  const isEmpty = add.length === 0 && threshold === null;
  return { ...task, reference: known, ...(isEmpty ? {} : { criteria }) };
}

function byReference(kind: AnswerKind, before: readonly { name: string }[]): DraftedCriterion {
  return { ...REFERENCE[kind], ...nameOf(kind, undefined, before), weight: 1, threshold: 1 };
}

/** A second text to compare with stands in the rubric itself: a case has one reference. */
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
  const own = { ...assertion, ...(assertion.value === undefined ? {} : { value: resolved.value }) };
  const none = { assertion: own, key: '', made: null, reference: null };
  if (resolved.problem !== null) return { ...none, why: resolved.problem };
  const of = assertion.transform ?? transform;
  const made = criterionOfAssertion(own, { inputVariable, transform: of ?? null });
  if (typeof made === 'string') return { ...none, why: made };
  const { reference = null, threshold, ...rest } = made;
  const weight = assertion.weight === undefined ? 1 : Math.min(100, Math.max(0, assertion.weight));
  const isGraded = made.evaluator === 'llm';
  const limit = isGraded && assertion.threshold !== undefined ? clamp(assertion.threshold) : threshold;
  // What weighs nothing always passes in promptfoo.
  const drafted = { ...rest, name: 'check', weight, threshold: weight === 0 ? null : limit };
  const why = await check(drafted);
  if (why !== null) {
    const instead = made.evaluator === 'regex' ? await byFunction(drafted, check) : null;
    if (instead === null) return { ...none, why };
    return { assertion: own, key: keyOf(own, instead), made: instead, why: '', reference };
  }
  return { assertion: own, key: keyOf(own, drafted), made: drafted, why: '', reference };
}

/** A pattern that Hone's engine cannot read, such as one that looks ahead, as a function. */
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
const REFERENCE: Record<AnswerKind, Pick<DraftedCriterion, 'evaluator' | 'config' | 'description'>> = {
  equals: {
    evaluator: 'reference',
    config: { match: 'exact', normalize: 'trim' },
    description: 'The output equals the reference.',
  },
  contains: {
    evaluator: 'reference',
    config: { match: 'contains', normalize: 'none' },
    description: 'The output contains the reference.',
  },
  icontains: {
    evaluator: 'reference',
    config: { match: 'contains', normalize: 'lower' },
    description: 'The output contains the reference, ignoring case.',
  },
};

/**
 * The kind of expected answer that most cases have, of those of which no case has two; null where there is none. `isOfAll`: every case has
 * one, and there is nothing else to it.
 */
function commonAnswer(translated: readonly Translated[][]): Answers | null {
  const found = ANSWERS.flatMap((kind) => {
    const answers = translated.map((own) => own.filter((one) => isAnswer(one, kind)));
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

/** Whether an assertion expects a text as the output is, and not as something else makes of it. */
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
  const taken = new Set(before.map(({ name }) => name));
  let name = base;
  for (let at = 2; taken.has(name); at++) name = `${base}_${at}`;
  return { name };
}

/** The values of a template's variables put in; a problem where it has logic that Hone does not have. */
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

/** A rubric keeps its variables, by their names here; all else gets their values. `input`: false where values are wanted. */
function variableOf(vars: Record<string, unknown>, name: string, input: string | null | false): string | null {
  if (input !== false && name === 'output') return '{{output}}';
  const value = Object.hasOwn(vars, name) ? vars[name] : undefined;
  if (value === undefined || value === null) return null;
  if (input !== false) return name === input ? '{{input}}' : `{{metadata.${name}}}`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Where it stands; nothing where it stands in all tests. */
function placesOf(of: ReadonlySet<number>, all: ReadonlySet<number>): string {
  if (of.size === all.size) return '';
  const numbers = [...of].sort((one, other) => one - other);
  const named = numbers.slice(0, 5).join(', ');
  const more = numbers.length - 5;
  return ` (${numbers.length === 1 ? 'test' : 'tests'} ${named}${more > 0 ? ` and ${more} more` : ''})`;
}

/** What looks like a variable is text. */
function withoutVariables(text: string): string {
  return text.replaceAll('{{', '{ {').replaceAll('}}', '} }');
}

function clamp(threshold: number): number {
  return Math.min(1, Math.max(0, threshold));
}
