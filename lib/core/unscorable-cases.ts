import type { ReferenceLack } from '#lib/core/criteria/definition.ts';
import { filledVariables, metadataText } from '#lib/core/prompts/judge-texts.ts';
import type { Case } from './case.ts';
import { criteriaForCase } from './case-criteria.ts';
import { criterionDefinition } from './criterion.ts';
import type { Criterion } from './criterion-schema.ts';
import { fail, type Problem } from './problem.ts';
import type { ExperimentSettings } from './settings.ts';
import { showValue } from './text-values.ts';

/**
 * A case that a criterion can never score, whatever the output: `lacks` says what of it is missing. `place` is that in the list
 * given, from 0; `number` is what people call it by, from 1.
 */
type UnscorableCase = { place: number; number: number; input: string; criterion: string; lacks: Lack };

/** What a case lacks: any reference, one that is a number, or a metadata field that a judge's text asks for. */
export type Lack = ReferenceLack | `metadata.${string}`;

/** What decides whether cases can be scored: the criteria, and the judge's own prompt. */
type Scoring = Pick<ExperimentSettings, 'criteria'> & {
  prompts: Pick<ExperimentSettings['prompts'], 'evaluate'>;
};

/** A case and, where the list holds only some of a dataset, its place in there, counted from 0. */
type PlacedCase = Pick<Case, 'input' | 'reference' | 'metadata' | 'criteria'> & { position?: number };

/**
 * The cases that some criterion can never score for want of what it compares with, each with the first such criterion, in the
 * order given. Criteria that are always able to score take no part: a function, say, may do without a reference.
 */
export function unscorableCases({ criteria, prompts }: Scoring, cases: readonly PlacedCase[]): UnscorableCase[] {
  return cases.flatMap((task, place) => {
    const { input, position } = task;
    for (const criterion of criteriaForCase(criteria, task)) {
      const lacks = lackOf(criterion, task, prompts.evaluate);
      if (lacks !== null) return [{ place, number: (position ?? place) + 1, input, criterion: criterion.name, lacks }];
    }
    return [];
  });
}

/**
 * Returns the missing input that makes a criterion unscorable for a case, or null. `evaluatePrompt`: the judge's own prompt, which may ask
 * for the same as the criterion's texts.
 */
export function lackOf(
  criterion: Criterion,
  task: Pick<Case, 'reference' | 'metadata'>,
  evaluatePrompt: string | null,
): Lack | null {
  const { lacks } = criterionDefinition(criterion.evaluator);
  return lacks?.(criterion.config, task.reference) ?? unfilled(criterion, task, evaluatePrompt);
}

function unfilled(
  criterion: Criterion,
  { reference, metadata }: Pick<Case, 'reference' | 'metadata'>,
  evaluatePrompt: string | null,
): Lack | null {
  for (const name of filledVariables(criterion, evaluatePrompt)) {
    if (name === 'reference' && reference === null) return 'reference';
    const field = name.startsWith(METADATA) ? name.slice(METADATA.length) : null;
    if (field !== null && metadataText(metadata, field) === null) return `${METADATA}${field}`;
  }
  return null;
}

const METADATA = 'metadata.';

/** Why a criterion has no score for want of something, for people. */
export function lackReason(lacks: Lack): string {
  if (lacks === 'reference') return 'Not scored: the case has no reference.';
  if (lacks === 'number') return 'Not scored: the reference contains no number.';
  return `Not scored: the case has no metadata field "${lacks.slice(METADATA.length)}".`;
}

/** Cases that are named; of the others only their number is told. */
const MOST_NAMED = 3;

/**
 * Refuses cases that a criterion can never score, before anything is paid for them; null where all can be scored. Nothing of a
 * batch is started then, for what is left would not be the same cases. `field` is the one at fault, given the place (from 0) of
 * the first such case and what it lacks.
 */
export function refuseUnscorable(
  settings: Scoring,
  cases: readonly PlacedCase[],
  { code, field }: { code: Problem['code']; field: (first: number, lacks: Lack) => string | null },
): { ok: false; problem: Problem } | null {
  const found = unscorableCases(settings, cases);
  const [first] = found;
  if (first === undefined) return null;
  const [ofOne, ofMany] = found.some(({ lacks }) => isField(lacks)) ? FIELD_REMEDIES : REMEDIES;
  const remedy = cases.length === 1 ? ofOne : ofMany;
  return fail(code, `${unscorableReason(found, cases.length)} ${remedy}`, field(first.place, first.lacks));
}

/** Which cases cannot be scored and why, of the cases found (at least one) among `count`. */
export function unscorableReason(found: readonly UnscorableCase[], count: number): string {
  const fields = [...new Set(found.map(({ lacks }) => lacks).filter(isField))];
  return [...LACKS, ...fields]
    .map((lacks) =>
      kindLabel(
        found.filter((one) => one.lacks === lacks),
        count,
      ),
    )
    .filter((words) => words !== '')
    .join(' ');
}

/** For one case and for many. */
const REMEDIES = [
  'Give the case one, or take the criterion away or change what it compares with.',
  'Nothing was started. Give each of them one, take them out, or take the criterion away or change what it compares with.',
] as const;
const FIELD_REMEDIES = [
  'Add it to the case, or remove the criterion or the variable.',
  'Nothing was started. Add it to each of them, take them out, or remove the criterion or the variable.',
] as const;
const LACKS: readonly Lack[] = ['reference', 'number'];

function isField(lacks: Lack): boolean {
  return !LACKS.includes(lacks);
}

function kindLabel(found: readonly UnscorableCase[], count: number): string {
  const [first] = found;
  if (first === undefined) return '';
  const many = found.length > 1;
  const criteria = joined([...new Set(found.map(({ criterion }) => `"${criterion}"`))]);
  const needs = `${criteria} can score no version without`;
  const [what, without] = lackLabel(first.lacks, many);
  if (count === 1) return `The case ${named(first.input)} ${what}, and ${needs} ${without}.`;
  const rest = found.length - MOST_NAMED;
  const names = found.slice(0, MOST_NAMED).map(({ number, input }) => `case ${number} (${named(input)})`);
  const list = joined(rest > 0 ? [...names, `${rest.toLocaleString('en')} more`] : names);
  return `${found.length.toLocaleString('en')} of ${count.toLocaleString('en')} cases ${what}, and ${needs} ${without}: ${list}.`;
}

function lackLabel(lacks: Lack, many: boolean): [what: string, without: string] {
  const have = many ? 'have' : 'has';
  if (lacks === 'reference') return [`${have} no reference`, 'one'];
  if (lacks === 'number')
    return [many ? 'have references that are not a number' : 'has a reference that is not a number', 'a number'];
  return [`${have} no metadata field "${lacks.slice('metadata.'.length)}"`, 'it'];
}

/** In quotes, on one line. */
function named(input: string): string {
  return showValue(input.replace(/\s+/g, ' ').trim());
}

function joined(items: readonly string[]): string {
  const [last = '', ...before] = items.toReversed();
  return before.length === 0 ? last : `${before.reverse().join(', ')} and ${last}`;
}
