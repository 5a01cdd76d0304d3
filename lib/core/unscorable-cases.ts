import type { ReferenceLack } from '#lib/core/criteria/definition.ts';
import { filledVariables, metadataKey, metadataText } from '#lib/core/prompts/judge-texts.ts';
import type { Case } from './case.ts';
import { criteriaForCase } from './case-criteria.ts';
import { criterionDefinition } from './criterion.ts';
import type { Criterion } from './criterion-schema.ts';
import { fail, type Problem } from './problem.ts';
import type { ExperimentSettings } from './settings.ts';
import { showValue } from './text-values.ts';

/**
 * A case that a criterion can never score, regardless of the output. `lacks` names the missing input. `index` is the index in the given
 * list, from 0. `number` is shown to people, from 1.
 */
type UnscorableCase = { index: number; number: number; input: string; criterion: string; lacks: MissingInput };

/** Missing input of a case: any reference, a numeric one, or a metadata field that a judge's text uses. */
export type MissingInput = ReferenceLack | `metadata.${string}`;

/** Settings that determine if cases can be scored: the criteria, and the judge's prompt. */
type Scoring = Pick<ExperimentSettings, 'criteria'> & {
  prompts: Pick<ExperimentSettings['prompts'], 'evaluate'>;
};

/** A case with its index in the dataset, from 0, if the list contains only a part of it. */
type PlacedCase = Pick<Case, 'input' | 'reference' | 'metadata' | 'criteria'> & { position?: number };

/**
 * Returns the cases that a criterion can never score because an input is missing, each with the first such criterion, in the given order.
 * Ignores criteria that can always score: a function, for example, may not need a reference.
 */
export function unscorableCases({ criteria, prompts }: Scoring, cases: readonly PlacedCase[]): UnscorableCase[] {
  return cases.flatMap((task, index) => {
    const { input, position } = task;
    for (const criterion of criteriaForCase(criteria, task)) {
      const lacks = findMissingInput(criterion, task, prompts.evaluate);
      if (lacks !== null) return [{ index, number: (position ?? index) + 1, input, criterion: criterion.name, lacks }];
    }
    return [];
  });
}

/**
 * Returns the missing input that makes a criterion unscorable for a case, or null. `evaluatePrompt`: the judge's prompt, which may use the
 * same inputs as the criterion's texts.
 */
export function findMissingInput(
  criterion: Criterion,
  task: Pick<Case, 'reference' | 'metadata'>,
  evaluatePrompt: string | null,
): MissingInput | null {
  const { lacks } = criterionDefinition(criterion.evaluator);
  return lacks?.(criterion.config, task.reference) ?? findUnfilledVariable(criterion, task, evaluatePrompt);
}

function findUnfilledVariable(
  criterion: Criterion,
  { reference, metadata }: Pick<Case, 'reference' | 'metadata'>,
  evaluatePrompt: string | null,
): MissingInput | null {
  for (const name of filledVariables(criterion, evaluatePrompt)) {
    if (name === 'reference' && reference === null) return 'reference';
    const field = metadataKey(name);
    if (field !== null && metadataText(metadata, field) === null) return `metadata.${field}`;
  }
  return null;
}

/** Returns the reason, for people, why a criterion has no score because of a missing input. */
export function missingInputReason(lacks: MissingInput): string {
  if (lacks === 'reference') return 'Not scored: the case has no reference.';
  if (lacks === 'number') return 'Not scored: the reference contains no number.';
  return `Not scored: the case has no metadata field "${metadataKey(lacks)}".`;
}

const MAX_NAMED_CASES = 3;

/**
 * Returns the error for cases that a criterion can never score, before anything is paid for, or null. The whole batch is not started,
 * because the remaining cases would be a different set. `field` names the invalid field, from the index (from 0) of the first such case and
 * its missing input.
 */
export function rejectUnscorableCases(
  settings: Scoring,
  cases: readonly PlacedCase[],
  { code, field }: { code: Problem['code']; field: (first: number, lacks: MissingInput) => string | null },
): { ok: false; problem: Problem } | null {
  const found = unscorableCases(settings, cases);
  const [first] = found;
  if (first === undefined) return null;
  const [ofOne, ofMany] = found.some(({ lacks }) => isField(lacks)) ? FIELD_REMEDIES : REMEDIES;
  const remedy = cases.length === 1 ? ofOne : ofMany;
  return fail(code, `${unscorableReason(found, cases.length)} ${remedy}`, field(first.index, first.lacks));
}

/** Describes the unscorable cases with reasons. `found` has at least one, among `count` cases. */
export function unscorableReason(found: readonly UnscorableCase[], count: number): string {
  const fields = [...new Set(found.map(({ lacks }) => lacks).filter(isField))];
  return [...MISSING_REFERENCE_KINDS, ...fields]
    .map((lacks) =>
      kindLabel(
        found.filter((one) => one.lacks === lacks),
        count,
      ),
    )
    .filter((text) => text !== '')
    .join(' ');
}

/** For one case, and for several. */
const REMEDIES = [
  'Give the case one, or remove or change the criterion.',
  'Nothing was started. Give each of them one, remove these cases, or remove or change the criterion.',
] as const;
const FIELD_REMEDIES = [
  'Add it to the case, or remove the criterion or the variable.',
  'Nothing was started. Add it to each of them, remove these cases, or remove the criterion or the variable.',
] as const;
const MISSING_REFERENCE_KINDS: readonly MissingInput[] = ['reference', 'number'];

function isField(lacks: MissingInput): boolean {
  return !MISSING_REFERENCE_KINDS.includes(lacks);
}

function kindLabel(found: readonly UnscorableCase[], count: number): string {
  const [first] = found;
  if (first === undefined) return '';
  const many = found.length > 1;
  const criteria = LIST_FORMAT.format([...new Set(found.map(({ criterion }) => `"${criterion}"`))]);
  const needs = `${criteria} can score no version without`;
  const [what, without] = missingInputLabel(first.lacks, many);
  if (count === 1) return `The case ${named(first.input)} ${what}, and ${needs} ${without}.`;
  const rest = found.length - MAX_NAMED_CASES;
  const names = found.slice(0, MAX_NAMED_CASES).map(({ number, input }) => `case ${number} (${named(input)})`);
  const list = LIST_FORMAT.format(rest > 0 ? [...names, `${rest.toLocaleString('en')} more`] : names);
  return `${found.length.toLocaleString('en')} of ${count.toLocaleString('en')} cases ${what}, and ${needs} ${without}: ${list}.`;
}

function missingInputLabel(lacks: MissingInput, many: boolean): [what: string, without: string] {
  const have = many ? 'have' : 'has';
  if (lacks === 'reference') return [`${have} no reference`, 'one'];
  if (lacks === 'number')
    return [many ? 'have references that are not a number' : 'has a reference that is not a number', 'a number'];
  return [`${have} no metadata field "${metadataKey(lacks)}"`, 'it'];
}

/** Formats an input in quotes on one line. */
function named(input: string): string {
  return showValue(input.replace(/\s+/g, ' ').trim());
}

const LIST_FORMAT = new Intl.ListFormat('en-GB');
