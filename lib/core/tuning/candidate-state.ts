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
 * State of a prompt of a tuning run.
 * `given` and `by_hand` go straight to validation.
 * A proposed one is `untried` until its minibatch is scored, `held_back` if a guard excludes it from scoring, and `accepted` for validation
 * or `rejected` by the acceptance rule.
 * `combined`: accepted but not validated, because it was combined with others into one prompt, which goes straight to validation.
 * After validation it is a `candidate`. It is also `rejected` if validation shows that it is worse than its parent, or if it lost an anchor
 * case.
 */
export type CandidateState = (typeof CANDIDATE_STATES)[number];

/** Returns the state of one version. Only depends on the history. */
export function candidateState(
  history: History,
  settings: Pick<ExperimentSettings, 'tune'>,
  version: Version,
): CandidateState {
  if (version.proposal === null) return isByHand(version) ? 'by_hand' : 'given';
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
  return isReplacedByCombination(history, version) ? 'combined' : 'accepted';
}

/** The first prompt was given, or the reflection model wrote it from the task description. */
const FIRST_ORIGINS: readonly VersionOrigin[] = ['given', 'generated'];

/** True if a person wrote or merged a prompt of a tuning run. */
export function isByHand({ proposal, origin }: Pick<Version, 'proposal' | 'origin'>): boolean {
  return proposal === null && !FIRST_ORIGINS.includes(origin);
}

/** True if a guard excludes a proposed prompt from scoring, so that it is never adopted. */
export function isHeldBack({ proposal }: Pick<Version, 'proposal'>): boolean {
  return proposal?.problems.some(isBlocking) ?? false;
}

export function isBlocking({ kind }: Pick<ProposalProblem, 'kind'>): boolean {
  return kind !== 'copied_example';
}

/** True if a validated proposal is shown to be worse than its parent. See `pairedEvidence`. */
function isShownWorse(history: History, version: Version): boolean {
  return isValidated(history, version) && proposalEvidence(history, version)?.verdict === 'worse';
}

/**
 * True if a version may be neither a parent nor the result: it is shown to be worse than its parent, or scores lower than the first prompt
 * on an anchor case.
 */
export function isRuledOut(history: History, version: Version): boolean {
  return isShownWorse(history, version) || lostAnchors(history, version.number).length > 0;
}

function isValidated(history: History, { number }: Version): boolean {
  return scoreOf(history, number) !== null;
}

/** Returns the prompts that the run may return: validated, not held back and not ruled out. In order of creation. */
export function candidates(history: History): Version[] {
  return history.versions.filter(
    (version) => !isHeldBack(version) && isValidated(history, version) && !isRuledOut(history, version),
  );
}

/** Returns the candidates whose text is available, so that new prompts can be based on them. */
export function startingPoints(history: History): Version[] {
  return candidates(history).filter(({ outputDropped }) => !outputDropped);
}

/** Returns the version that a proposal was combined into, or null if there is none. */
export function combinationOf({ versions }: Pick<History, 'versions'>, number: number): Version | null {
  return versions.find(({ proposal }) => proposal?.combined?.includes(number)) ?? null;
}

/**
 * True if a proposal is not validated because it was combined with others. If the combination is unusable, or no better than its parent,
 * the best of the proposals is validated instead.
 */
function isReplacedByCombination(history: History, { number }: Pick<Version, 'number'>): boolean {
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

/** Returns the combined proposal with the largest gain on its own cases. */
function bestOf(history: History, { proposal }: Version): number | null {
  const gains = (proposal?.combined ?? []).flatMap((number) => {
    const version = history.versions.find((one) => one.number === number);
    const result = version === undefined ? null : minibatchResult(history, version);
    return result === null ? [] : [{ number, gain: result.after - result.before }];
  });
  return gains.toSorted((one, other) => other.gain - one.gain)[0]?.number ?? null;
}

/** Returns the saved step that a version was proposed in. A combination belongs to the step of its proposals. */
export function waveOf({ versions }: Pick<History, 'versions'>, { proposal, step }: Version): number {
  const [first] = proposal?.combined ?? [];
  return versions.find(({ number }) => number === first)?.step ?? step;
}

/** Returns the newest group of versions that were made in one step, with their combinations. */
export function newestWave(history: Pick<History, 'versions'>): Version[] {
  const last = history.versions.at(-1);
  if (last === undefined) return [];
  const wave = waveOf(history, last);
  return history.versions.filter((version) => waveOf(history, version) === wave);
}

/** True if a prompt or one of its ancestors received worked examples. */
export function hasExamples(history: Pick<History, 'versions'>, version: Version): boolean {
  const lineage = lineageOf(history, version);
  return history.versions.some(({ number, proposal }) => proposal?.demonstrations !== undefined && lineage.has(number));
}

/** Returns a version and all its ancestors. */
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
