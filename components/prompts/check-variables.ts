import { templateVariables } from '#lib/core/prompts/judge-texts.ts';
import { formatCount, formatList, formatNumberOf } from '#lib/format.ts';
import type { PlaygroundCase } from './choose-cases.ts';

/** Variable of a prompt. `missingIn`: numbers (from 1) of the cases without a value for it. */
type CheckedVariable = { name: string; isKnown: boolean; missingIn: number[] };

/** Checks every variable of a prompt against the given cases. */
export function checkVariables(
  text: string,
  cases: readonly Pick<PlaygroundCase, 'position' | 'fields'>[],
): CheckedVariable[] {
  return templateVariables(text).map(({ name, known }) => {
    const field = name.startsWith('metadata.') ? name.slice('metadata.'.length) : null;
    const missing = known && field !== null ? cases.filter(({ fields }) => !fields.includes(field)) : [];
    return { name, isKnown: known, missingIn: missing.map(({ position }) => position + 1) };
  });
}

/** Note about variables. `isGood`: false for a problem. */
type VariableNote = { isGood: boolean; text: string };

/**
 * Returns one sentence per problem, or one that all variables are available. `total`: number of cases, 0 without a dataset. `isChat`: the
 * input is sent even without a variable.
 */
export function variableNotes(checked: readonly CheckedVariable[], total: number, isChat = false): VariableNote[] {
  const wrong = checked.flatMap(({ name, isKnown, missingIn }) => {
    if (name === 'reference')
      return [
        '{{reference}} is only available to judges. Remove it, because models that work on the task must not see it.',
      ];
    if (!isKnown)
      return [`{{${name}}} is not a known variable, so it is sent unchanged. Use {{input}} or {{metadata.name}}.`];
    if (missingIn.length === 0) return [];
    return [`{{${name}}} is missing in ${someOf(missingIn, total)}. It is sent unchanged there.`];
  });
  if (wrong.length > 0) return wrong.map((text) => ({ isGood: false, text }));
  if (!isChat && checked.length === 0) return [{ isGood: true, text: NO_VARIABLE }];
  return total === 0
    ? []
    : [{ isGood: true, text: total === 1 ? 'Available in the case' : `Available in all ${total} cases` }];
}

const NO_VARIABLE = 'Without a variable, the prompt is the system message, and the input follows as the user message.';
const MAX_NAMED_CASES = 5;

function someOf(numbers: number[], total: number): string {
  if (numbers.length === total) return total === 1 ? 'the case' : `all ${formatCount(total)} cases`;
  const more = numbers.length - MAX_NAMED_CASES;
  const named = numbers.slice(0, MAX_NAMED_CASES).map(String);
  return `${formatNumberOf(numbers.length, 'case')} (${more > 0 ? `${named.join(', ')} and ${more} more` : formatList(named)}) of ${formatCount(total)}`;
}
