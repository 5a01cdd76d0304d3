import { fail, type Problem } from './problem.ts';
import { showValue } from './show-value.ts';
import { type Lack, type PlacedCase, type Scoring, type UnscorableCase, unscorableCases } from './unscorable-cases.ts';

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
