import type { History, ProposalProblem, Version, VersionOrigin } from '../history.ts';
import { scoreOf } from '../scored-versions.ts';
import type { ExperimentSettings } from '../settings.ts';
import { lostAnchors } from './anchors.ts';
import { isLeftToCombination } from './combined-proposals.ts';
import { minibatchResult } from './minibatch.ts';
import { proposalEvidence } from './paired-evidence.ts';

export const CANDIDATE_STATES = [
  'given',
  'by_hand',
  'untried',
  'held_back',
  'rejected',
  'accepted',
  'combined',
  'candidate',
] as const;
/**
 * How a prompt of a tuning run stands. `given` and `by_hand` go straight to validation. A proposed one is `untried` until its
 * minibatch is scored, `held_back` where a guard keeps it from being tried at all, and `accepted` for validation or `rejected` by the
 * acceptance rule. `combined`: it was accepted and is not validated, because it was combined with others into one prompt, which goes
 * straight to validation. Once it is validated it is a `candidate`. It is `rejected` too if it is shown to be worse than its parent there, or lost
 * an anchor case.
 */
export type CandidateState = (typeof CANDIDATE_STATES)[number];

/** The state of one version, from the history alone. */
export function candidateState(
  history: History,
  settings: Pick<ExperimentSettings, 'tune'>,
  version: Version,
): CandidateState {
  if (version.proposal === null) return FIRST_ORIGINS.includes(version.origin) ? 'given' : 'by_hand';
  if (isHeldBack(version)) return 'held_back';
  if (isRuledOut(history, version)) return 'rejected';
  if (isValidated(history, version)) return 'candidate';
  if (version.proposal.combined !== undefined) return 'accepted';
  const result = minibatchResult(history, version);
  if (result === null) return 'untried';
  const { before, after } = result;
  const mayBeEqual = settings.tune.acceptance === 'not_worse' || version.proposal.merged === true;
  const isBetter = mayBeEqual ? after >= before : after > before;
  if (!isBetter) return 'rejected';
  return isLeftToCombination(history, version) ? 'combined' : 'accepted';
}

/** The first prompt was given, or the reflection model wrote it from the description of the task. */
const FIRST_ORIGINS: readonly VersionOrigin[] = ['given', 'generated'];

/** Whether a guard keeps a proposed prompt from being tried, and so from ever being adopted. */
export function isHeldBack({ proposal }: Pick<Version, 'proposal'>): boolean {
  return proposal?.problems.some(isBlocking) ?? false;
}

export function isBlocking({ kind }: Pick<ProposalProblem, 'kind'>): boolean {
  return kind !== 'copied_example';
}

/** Whether a validated proposal is shown to be worse than the prompt it was made from; see `pairedEvidence`. */
export function isShownWorse(history: History, version: Version): boolean {
  return isValidated(history, version) && proposalEvidence(history, version)?.verdict === 'worse';
}

/**
 * Whether a version may neither be started from nor returned: it is shown to be worse than the prompt it was made from, or scores lower
 * than the first prompt on an anchor case.
 */
export function isRuledOut(history: History, version: Version): boolean {
  return isShownWorse(history, version) || lostAnchors(history, version.number).length > 0;
}

function isValidated(history: History, { number }: Version): boolean {
  return scoreOf(history, number) !== null;
}

/**
 * The prompts that proposals may start from and the run may return: validated, not held back and not ruled out. In the order they were
 * made.
 */
export function candidates(history: History): Version[] {
  return history.versions.filter(
    (version) => !isHeldBack(version) && isValidated(history, version) && !isRuledOut(history, version),
  );
}
