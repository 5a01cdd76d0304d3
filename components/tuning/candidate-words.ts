import { formatNumberOf, formatScore } from '#lib/format.ts';
import type { TunedVersion } from '#lib/measures/tuning-summary.ts';
import type { ProposalProblem } from '#lib/reflection/history.ts';
import type { ExperimentSettings } from '#lib/reflection/settings.ts';

/** How a prompt stands, in a word or two. */
export function stateWords({ state }: Pick<TunedVersion, 'state'>, isEnded: boolean): string {
  switch (state) {
    case 'given':
      return 'as given';
    case 'by_hand':
      return 'by a person';
    case 'untried':
      return isEnded ? 'never tried' : 'not tried yet';
    case 'held_back':
      return 'held back';
    case 'rejected':
      return 'rejected';
    case 'accepted':
      return isEnded ? 'accepted, not validated' : 'accepted, being validated';
    case 'candidate':
      return 'accepted';
  }
}

/** Why it stands so: the sums on the cases it was made from and the rule, or what the guards found. Empty where nothing was decided. */
export function decisionReason(
  { state, minibatch, problems, parents }: Pick<TunedVersion, 'state' | 'minibatch' | 'problems' | 'parents'>,
  { tune }: Pick<ExperimentSettings, 'tune'>,
): string {
  const [parent] = parents;
  switch (state) {
    case 'held_back':
      return `Not tried: ${problems.map(problemWords).join('; ')}.`;
    case 'rejected':
    case 'accepted':
    case 'candidate': {
      if (minibatch === null || parent === undefined) return '';
      const sums = `${formatScore(minibatch.before)} → ${formatScore(minibatch.after)} on its ${formatNumberOf(minibatch.of, 'case')}`;
      const rule = tune.acceptance === 'strict' ? 'better than' : 'no worse than';
      return state === 'rejected' ? `${sums}: not ${rule} v${parent}.` : `${sums}: ${rule} v${parent}.`;
    }
    case 'given':
    case 'by_hand':
    case 'untried':
      return '';
  }
}

/** What a guard found, in words; its own text says the details. */
export function problemWords({ kind, text }: ProposalProblem): string {
  const name = PROBLEM_NAMES[kind];
  return text === '' ? name : `${name} (${text.replace(/[.\s]+$/, '')})`;
}

const PROBLEM_NAMES: Record<ProposalProblem['kind'], string> = {
  unreadable: 'the reply could not be read as a prompt',
  empty: 'the prompt is empty',
  truncated: 'the reply was cut off',
  unchanged: 'it is the prompt it came from, word for word',
  repeated: 'it is a prompt that was there before',
  missing_variable: 'a variable is missing',
  unknown_variable: 'a variable is not known',
  too_long: 'it is longer than allowed',
  copied_example: 'it copies a case',
};
