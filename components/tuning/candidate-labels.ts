import { isBlocking } from '#lib/core/tuning/candidate-state.ts';
import { LEAST_EVIDENCE } from '#lib/core/tuning/paired-evidence.ts';
import { formatNumberOf, formatScore } from '#lib/format.ts';
import type { TunedVersion } from '#lib/statistics/tuning-summary.ts';
import { writeChance } from '#lib/statistics/write-chance.ts';

/** How a prompt stands, in a word or two. */
export function stateLabel({ state, evidence }: Pick<TunedVersion, 'state' | 'evidence'>, isEnded: boolean): string {
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
      return evidence?.verdict === 'worse' ? 'worse' : 'dropped';
    case 'accepted':
      return isEnded ? 'not validated' : 'being validated';
    case 'candidate':
      if (evidence?.verdict === 'better') return 'better';
      return (evidence?.n ?? 0) < LEAST_EVIDENCE ? 'validated on too few cases' : 'kept';
  }
}

/** Why it stands so: the sums on the cases it was made from and the evidence of its validation, or what the guards found. Empty where nothing was decided. */
export function decisionReason({
  state,
  minibatch,
  evidence,
  problems,
  parents,
}: Pick<TunedVersion, 'state' | 'minibatch' | 'evidence' | 'problems' | 'parents'>): string {
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
      if (evidence !== null) return `${sums}; ${evidenceLabel(evidence)}.`;
      return state === 'rejected' ? `${sums}: not validated.` : `${sums}: goes on to validation.`;
    }
    case 'given':
    case 'by_hand':
    case 'untried':
      return '';
  }
}

/** `5 better, 1 worse on 8 cases (p = 0.22): not enough evidence to tell it from v0`. */
function evidenceLabel({ against, n, better, worse, p, verdict }: NonNullable<TunedVersion['evidence']>): string {
  const counted = `${better} better, ${worse} worse on ${formatNumberOf(n, 'case')} (p ${p < 0.001 ? '' : '= '}${writeChance(p)})`;
  switch (verdict) {
    case 'better':
      return `${counted}: better than v${against}`;
    case 'worse':
      return `${counted}: worse than v${against}`;
    case 'not_enough_evidence':
      return `${counted}: not enough evidence to tell it from v${against}`;
  }
}
