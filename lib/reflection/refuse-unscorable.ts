import type { Criterion } from './criterion.ts';
import { fail, type Problem } from './problem.ts';
import { showValue } from './show-value.ts';
import { type Lack, type PlacedCase, type UnscorableCase, unscorableCases } from './unscorable-cases.ts';

/** Cases that are named; of the others only their number is told. */
const MOST_NAMED = 3;

/**
 * Refuses cases that a criterion can never score, before anything is paid for them; null where all can be scored. Nothing of a
 * batch is started then, for what is left would not be the same cases. `field` is the one at fault, given the place (from 0) of
 * the first such case.
 */
export function refuseUnscorable(
  criteria: readonly Criterion[],
  cases: readonly PlacedCase[],
  { code, field }: { code: Problem['code']; field: (first: number) => string | null },
): { ok: false; problem: Problem } | null {
  const found = unscorableCases(criteria, cases);
  const [first] = found;
  if (first === undefined) return null;
  const remedy = cases.length === 1 ? REMEDY_OF_ONE : REMEDY_OF_MANY;
  return fail(code, `${unscorableReason(found, cases.length)} ${remedy}`, field(first.place));
}

/** Which cases cannot be scored and why, of the cases found (at least one) among `count`. */
export function unscorableReason(found: readonly UnscorableCase[], count: number): string {
  return LACKS.map((lacks) =>
    kindWords(
      found.filter((one) => one.lacks === lacks),
      count,
    ),
  )
    .filter((words) => words !== '')
    .join(' ');
}

const REMEDY_OF_ONE = 'Give the case one, or take the criterion away or change what it compares with.';
const REMEDY_OF_MANY =
  'Nothing was started. Give each of them one, take them out, or take the criterion away or change what it compares with.';
const LACKS: readonly Lack[] = ['reference', 'number'];

function kindWords(found: readonly UnscorableCase[], count: number): string {
  const [first] = found;
  if (first === undefined) return '';
  const many = found.length > 1;
  const criteria = joined([...new Set(found.map(({ criterion }) => `"${criterion}"`))]);
  const needs = `${criteria} can score no version without`;
  const [what, without] =
    first.lacks === 'reference'
      ? [many ? 'have no reference' : 'has no reference', 'one']
      : [many ? 'have references that are not a number' : 'has a reference that is not a number', 'a number'];
  if (count === 1) return `The case ${named(first.input)} ${what}, and ${needs} ${without}.`;
  const rest = found.length - MOST_NAMED;
  const names = found.slice(0, MOST_NAMED).map(({ number, input }) => `case ${number} (${named(input)})`);
  const list = joined(rest > 0 ? [...names, `${rest.toLocaleString('en')} more`] : names);
  return `${found.length.toLocaleString('en')} of ${count.toLocaleString('en')} cases ${what}, and ${needs} ${without}: ${list}.`;
}

/** In quotes, on one line. */
function named(input: string): string {
  return showValue(input.replace(/\s+/g, ' ').trim());
}

function joined(items: readonly string[]): string {
  const [last = '', ...before] = items.toReversed();
  return before.length === 0 ? last : `${before.reverse().join(', ')} and ${last}`;
}
