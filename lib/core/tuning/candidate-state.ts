import type { History, ProposalProblem, Version, VersionOrigin } from '../history.ts';
import { scoreOf } from '../scored-versions.ts';
import type { ExperimentSettings } from '../settings.ts';
import { lostAnchors } from './anchors.ts';
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
 * How a prompt of a tuning run stands. `given` and `by_hand` go straight to validation. A proposed one is `untried` until its minibatch is
 * scored, `held_back` where a guard keeps it from being tried at all, and `accepted` for validation or `rejected` by the acceptance rule.
 * `combined`: it was accepted and is not validated, because it was combined with others into one prompt, which goes straight to validation.
 * Once it is validated it is a `candidate`. It is `rejected` too if it is shown to be worse than its parent there, or lost an anchor case.
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
  if (version.proposal.combined !== undefined || version.proposal.positions.length === 0) return 'accepted';
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

/** True if a guard keeps a proposed prompt from being tried, and so from ever being adopted. */
export function isHeldBack({ proposal }: Pick<Version, 'proposal'>): boolean {
  return proposal?.problems.some(isBlocking) ?? false;
}

export function isBlocking({ kind }: Pick<ProposalProblem, 'kind'>): boolean {
  return kind !== 'copied_example';
}

/** True if a validated proposal is shown to be worse than the prompt it was made from; see `pairedEvidence`. */
function isShownWorse(history: History, version: Version): boolean {
  return isValidated(history, version) && proposalEvidence(history, version)?.verdict === 'worse';
}

/**
 * True if a version may neither be started from nor returned: it is shown to be worse than the prompt it was made from, or scores lower
 * than the first prompt on an anchor case.
 */
export function isRuledOut(history: History, version: Version): boolean {
  return isShownWorse(history, version) || lostAnchors(history, version.number).length > 0;
}

function isValidated(history: History, { number }: Version): boolean {
  return scoreOf(history, number) !== null;
}

/** The prompts that the run may return: validated, not held back and not ruled out. In the order they were made. */
export function candidates(history: History): Version[] {
  return history.versions.filter(
    (version) => !isHeldBack(version) && isValidated(history, version) && !isRuledOut(history, version),
  );
}

/** Candidates whose text was kept, so that new prompts can start from them. */
export function startingPoints(history: History): Version[] {
  return candidates(history).filter(({ outputDropped }) => !outputDropped);
}

/** The version that a proposal was combined into; null if there is none. */
export function combinationOf({ versions }: Pick<History, 'versions'>, number: number): Version | null {
  return versions.find(({ proposal }) => proposal?.combined?.includes(number)) ?? null;
}

/**
 * True if a proposal is not validated because it was combined with others. If the combination cannot be used, or is no better than the
 * prompt that it was made from, the best of the proposals is validated instead.
 */
function isLeftToCombination(history: History, { number }: Pick<Version, 'number'>): boolean {
  const combination = combinationOf(history, number);
  if (combination === null) return false;
  return !hasFailed(history, combination) || bestOf(history, combination) !== number;
}

function hasFailed(history: History, combination: Version): boolean {
  if (isHeldBack(combination) || isRuledOut(history, combination)) return true;
  const { number, parents } = combination;
  const [parent] = parents;
  const [before, after] = [parent === undefined ? null : scoreOf(history, parent), scoreOf(history, number)];
  return before !== null && after !== null && after <= before;
}

/** The combined proposal that gained most on the cases it was made from. */
function bestOf(history: History, { proposal }: Version): number | null {
  const gains = (proposal?.combined ?? []).flatMap((number) => {
    const version = history.versions.find((one) => one.number === number);
    const result = version === undefined ? null : minibatchResult(history, version);
    return result === null ? [] : [{ number, gain: result.after - result.before }];
  });
  return gains.toSorted((one, other) => other.gain - one.gain)[0]?.number ?? null;
}

/** The saved step that a version was proposed in. A combination belongs to the step of its proposals. */
export function waveOf({ versions }: Pick<History, 'versions'>, { proposal, step }: Version): number {
  const [first] = proposal?.combined ?? [];
  return versions.find(({ number }) => number === first)?.step ?? step;
}

/** The newest group of versions that were made in one step, with their combinations. */
export function newestWave(history: Pick<History, 'versions'>): Version[] {
  const last = history.versions.at(-1);
  if (last === undefined) return [];
  const wave = waveOf(history, last);
  return history.versions.filter((version) => waveOf(history, version) === wave);
}

/** True if a prompt or one of those it was made from got worked examples. */
export function hasExamples(history: Pick<History, 'versions'>, version: Version): boolean {
  const lineage = lineageOf(history, version);
  return history.versions.some(({ number, proposal }) => proposal?.demonstrations !== undefined && lineage.has(number));
}

/** All versions that a version was made from, itself included. */
export function lineageOf({ versions }: Pick<History, 'versions'>, version: Version): Set<number> {
  const found = new Set<number>();
  const open = [version.number];
  for (let number = open.pop(); number !== undefined; number = open.pop()) {
    if (found.has(number)) continue;
    found.add(number);
    open.push(...(versions[number]?.parents ?? []));
  }
  return found;
}
