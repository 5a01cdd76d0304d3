import { formatNumberOf, formatScore } from '#lib/format.ts';
import type { TunedVersion } from '#lib/measures/tuning-summary.ts';
import type { ExperimentSettings } from '#lib/reflection/settings.ts';
import { isBlocking } from '#lib/reflection/tuning/candidate-state.ts';

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
      return problems
        .filter(isBlocking)
        .map(({ text }) => text)
        .join(' ');
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
