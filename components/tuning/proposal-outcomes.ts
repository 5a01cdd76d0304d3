import type { ProposalProblem } from '#lib/core/history.ts';
import { isBlocking } from '#lib/core/tuning/candidate-state.ts';
import { MIN_PAIRED_CASES } from '#lib/core/tuning/paired-evidence.ts';
import { formatList, formatNumberOf } from '#lib/format.ts';
import {
  madeVersions,
  type TunedVersion,
  type TuningSummary,
  type VersionKind,
} from '#lib/statistics/tuning-summary.ts';

/** Outcomes of proposals, in the order of the sentence. */
type ProposalOutcome =
  | 'held_back'
  | 'no_gain'
  | 'combined'
  | 'lost_anchor'
  | 'worse'
  | 'too_few'
  | 'unclear'
  | 'better'
  | 'untested';

const OUTCOME_LABELS: Record<ProposalOutcome, (scopes: { own: string; validation: string }) => string> = {
  held_back: () => 'rejected by checks',
  no_gain: ({ own }) => `no better than its parent on ${own}`,
  combined: () => 'combined with others into one prompt',
  lost_anchor: () => 'worse on an anchor case',
  worse: ({ validation }) => `worse than its parent on ${validation}`,
  too_few: () => 'validated on too few cases',
  unclear: ({ validation }) => `not shown to be better or worse on ${validation}`,
  better: ({ validation }) => `better than its parent on ${validation}`,
  untested: () => 'not fully tested',
};

const CHECKS: Record<ProposalProblem['kind'], string> = {
  unreadable: 'unreadable',
  empty: 'empty',
  truncated: 'cut off',
  unchanged: 'unchanged',
  repeated: 'repeated',
  missing_variable: 'a variable is missing',
  unknown_variable: 'an unknown variable',
  changed_roles: 'changed roles or components',
  too_long: 'too long',
  copied_cases: 'copied cases',
  copied_example: 'a copied example',
  model_failed: 'the model failed',
};

const KINDS = {
  proposal: ['proposal', 'proposals'],
  combination: ['combination', 'combinations'],
  merge: ['merge', 'merges'],
  examples: ['prompt with examples', 'prompts with examples'],
  variation: ['variation of parameters', 'variations of parameters'],
} as const satisfies Partial<Record<VersionKind, readonly [string, string]>>;

/**
 * Returns the number of prompts of each kind that a run created: `3 proposals`, `1 combination`. Ignores the original and prompts written
 * by hand.
 */
export function countedKinds(versions: readonly Pick<TunedVersion, 'kind'>[]): string[] {
  return Object.entries(KINDS).flatMap(([kind, [one, several]]) => {
    const count = versions.filter((version) => version.kind === kind).length;
    return count === 0 ? [] : [formatNumberOf(count, one, several)];
  });
}

/**
 * Summarizes the proposals of a run and their outcomes: `Of 5 proposals, 2 were rejected by checks (too long, repeated), 3 were no better
 * than their parent on their 3 training cases.` Empty without proposals.
 */
export function proposalOutcomesLabel(tuning: Pick<TuningSummary, 'versions' | 'validatesOn'>): string {
  const proposed = madeVersions(tuning);
  if (proposed.length === 0) return '';
  const byFate = Map.groupBy<string, TunedVersion>(proposed, getProposalOutcome);
  const parts = Object.entries(OUTCOME_LABELS).flatMap(([fate, say]) => {
    const those = byFate.get(fate) ?? [];
    if (those.length === 0) return [];
    const outcome = say({
      own: `its ${casesOf(
        those.flatMap(({ minibatch }) => minibatch?.of ?? []),
        'training',
      )}`,
      validation: casesOf(
        those.flatMap(({ evidence }) => evidence?.n ?? []),
        tuning.validatesOn === 'train' ? 'training' : 'validation',
      ),
    });
    const plural = those.length === 1 ? outcome : outcome.replace(/\bits\b/g, 'their');
    const why = fate === 'held_back' ? ` (${checksOf(those)})` : '';
    const counted = proposed.length === 1 ? countedKinds(proposed).join('').replace(/^1 /, 'The ') : `${those.length}`;
    return [`${counted} ${those.length === 1 ? 'was' : 'were'} ${plural}${why}`];
  });
  return proposed.length === 1
    ? `${formatList(parts)}.`
    : `Of ${formatList(countedKinds(proposed))}, ${formatList(parts)}.`;
}

function getProposalOutcome({ state, evidence, lostAnchors }: TunedVersion): ProposalOutcome {
  if (lostAnchors.length > 0) return 'lost_anchor';
  switch (state) {
    case 'held_back':
      return 'held_back';
    case 'rejected':
      return evidence?.verdict === 'worse' ? 'worse' : 'no_gain';
    case 'combined':
      return 'combined';
    case 'candidate':
      if (evidence?.verdict === 'better') return 'better';
      return (evidence?.n ?? 0) < MIN_PAIRED_CASES ? 'too_few' : 'unclear';
    case 'given':
    case 'by_hand':
    case 'untried':
    case 'accepted':
      return 'untested';
  }
}

/** Returns `3 training cases` or `6 to 8 validation cases`. Omits the number if none is known. */
function casesOf(counts: readonly number[], kind: string): string {
  if (counts.length === 0) return `${kind} cases`;
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return least === most ? formatNumberOf(most, `${kind} case`) : `${least} to ${formatNumberOf(most, `${kind} case`)}`;
}

function checksOf(versions: readonly TunedVersion[]): string {
  const kinds = versions.flatMap(({ problems }) => problems.filter(isBlocking).map(({ kind }) => CHECKS[kind]));
  return [...new Set(kinds)].join(', ');
}
