import { bestVersion } from '#lib/core/best-version.ts';
import { isPassedOver, orderedBase } from '#lib/core/due-review.ts';
import { heldBudgets } from '#lib/core/estimate-next-step.ts';
import type { History, Version } from '#lib/core/history.ts';
import { scoreOf } from '#lib/core/scored-versions.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { Step } from '#lib/core/step.ts';
import { type StopReason, stopReasonsWith } from '#lib/core/stop-reasons.ts';
import { anchorPositions } from './anchors.ts';
import { candidateState, isHeldBack } from './candidate-state.ts';
import { effectiveScores, isRight, positionsOf, validationPositions } from './cases-of.ts';
import { chooseComponent } from './choose-component.ts';
import { dueExample, type TryStep } from './due-try.ts';
import { dueFinalTest } from './final-test.ts';
import { plannedMerge } from './merge-candidates.ts';
import { minibatch, roundsOfEpoch } from './minibatch.ts';
import { dueRedraw, dueReevaluation } from './redraw.ts';
import { paretoLeaders, selectCandidate } from './select-candidate.ts';

/**
 * What a tuning run does next where nothing ends it and nobody is to be asked: the last version's way to being settled, else the next
 * round. Null when there is nothing to mend: the prompt that was chosen came out right on every training case, other candidates were
 * tried, and no missed validation case is left to learn from.
 * Source: GEPA, reflective prompt evolution (Agrawal et al. 2025).
 */
export function dueTuningStep(history: History, settings: ExperimentSettings): Step | null {
  const last = history.versions.at(-1);
  if (last === undefined) return { type: 'give' };
  return (
    dueJudging(history, settings, last) ??
    dueReevaluation(history) ??
    dueMerge(history, settings, last) ??
    nextRound(history, settings, last)
  );
}

/** The next merge. None if a person chose the next prompt. */
function dueMerge(history: History, settings: ExperimentSettings, last: Version): Step | null {
  const plan = orderedBase(history, last) === null ? plannedMerge(history, settings) : null;
  return plan === null ? null : { type: 'merge', plan, round: nextRoundNumber(history) };
}

/** The step that brings a version nearer to being settled; null once it is validated, rejected, held back or passed over. */
export function dueJudging(history: History, settings: ExperimentSettings, version: Version): Step | null {
  if (isPassedOver(history, version)) return null;
  const { number, parents, proposal } = version;
  switch (candidateState(history, settings, version)) {
    case 'held_back':
    case 'rejected':
    case 'candidate':
      return null;
    case 'untried': {
      const positions = proposal?.positions ?? [];
      return [number, ...parents].reduce<Step | null>(
        (due, one) => due ?? dueExample(history, one, positions, 'minibatch'),
        null,
      );
    }
    case 'given':
    case 'by_hand':
      return scoreOf(history, number) === null ? validation(history, number) : null;
    case 'accepted':
      return validation(history, number);
  }
}

/** First on the anchor cases: a prompt that loses one of them is tried on no others. */
function validation(history: History, version: number): Step {
  return (
    dueExample(history, version, anchorPositions(history), 'validation') ??
    dueExample(history, version, validationPositions(history), 'validation') ?? {
      type: 'evaluate',
      version,
    }
  );
}

/**
 * The next proposal, or first its parent's tries on the minibatch. Where the parent has nothing to mend, in this order: another candidate
 * that leads somewhere, each once for every parent that had nothing; a new validation set, once. Where somebody ordered the parent there
 * is a proposal all the same.
 */
function nextRound(history: History, settings: ExperimentSettings, last: Version): Step | null {
  const first = nextRoundNumber(history);
  const ordered = orderedParent(history, last);
  const parent = ordered ?? selectCandidate(history, settings, first) ?? last.number;
  const due = roundFrom(history, settings, parent, first);
  if (due !== null) return due;
  if (ordered !== null) return proposal(history, settings, parent, first, minibatch(history, settings, first));
  for (const other of otherLeaders(history, parent)) {
    const instead = roundFrom(history, settings, other, first);
    if (instead !== null) return instead;
  }
  return dueRedraw(history, settings, parent);
}

/**
 * The proposal of the first round from `first` in which a parent is not right on all cases, or first its tries there; null where it is
 * right on every training case.
 */
function roundFrom(history: History, settings: ExperimentSettings, parent: number, first: number): Step | null {
  const tries = effectiveScores(history, parent);
  // So many rounds hold a whole epoch wherever they begin in one.
  const end = first + 2 * roundsOfEpoch(history, settings) - 1;
  for (let round = first; round < end; round++) {
    const positions = minibatch(history, settings, round);
    const due = dueExample(history, parent, positions, 'minibatch');
    if (due !== null) return due;
    if (!positions.every((position) => isRight(tries.get(position))))
      return proposal(history, settings, parent, round, positions);
  }
  return null;
}

function proposal(
  history: History,
  settings: ExperimentSettings,
  parent: number,
  round: number,
  positions: number[],
): Step {
  const component = chooseComponent(history, settings, parent, positions);
  return { type: 'propose', parent, round, positions, ...(component !== undefined && { component }) };
}

function nextRoundNumber({ versions }: History): number {
  return 1 + Math.max(-1, ...versions.map(({ proposal }) => proposal?.round ?? -1));
}

/** Candidates that lead on some case, the best first, but for those that a proposal was made from since the parent came to be. */
function otherLeaders(history: History, parent: number): number[] {
  const isTaken = (number: number) =>
    history.versions.some(
      ({ proposal, number: child, parents }) =>
        proposal !== null && proposal.merged !== true && child > parent && parents[0] === number,
    );
  return paretoLeaders(history)
    .map(({ number }) => number)
    .filter((number) => number !== parent && !isTaken(number))
    .sort((one, other) => (scoreOf(history, other) ?? 0) - (scoreOf(history, one) ?? 0) || other - one);
}

/** The version that somebody wants the next proposal made from; for one that is held back, what it was made from. */
function orderedParent(history: History, last: Version): number | null {
  let ordered = orderedBase(history, last);
  for (;;) {
    const version = history.versions.find(({ number }) => number === ordered);
    if (version === undefined || !isHeldBack(version)) return ordered;
    ordered = version.parents[0] ?? null;
  }
}

/** Endings in a run's own course: what was left for the end is done before them. */
const OWN_COURSE = stopReasonsWith(
  ({ reflectsOn, reflectsOnRequest }) => reflectsOn !== null && reflectsOnRequest !== true,
);

/**
 * The last tries of a tuning run that is about to end for `reason`: its first prompt and its best (or the accepted one) on the
 * held-out cases, which nothing was learned or chosen by, again and again where scores vary. Null when they are made, and where the run ends by a budget, a failure or
 * somebody's stop.
 */
export function heldOutStep(
  history: History,
  settings: ExperimentSettings,
  reason: StopReason,
  accepted: number | null,
): TryStep | null {
  if (history.failure !== null || !OWN_COURSE.includes(reason)) return null;
  const positions = positionsOf(history, 'held_out');
  const best = accepted ?? bestVersion(history, settings.bestVersion);
  for (const version of [0, ...(best === null ? [] : [best])]) {
    const due = dueExample(history, version, positions, 'held_out');
    if (due !== null) return withinBudgets(due, history, settings);
  }
  const due = best === null ? null : dueFinalTest(history, settings, best);
  return due === null ? null : withinBudgets(due, history, settings);
}

function withinBudgets(step: TryStep, history: History, settings: ExperimentSettings): TryStep | null {
  return heldBudgets(step, history, settings).length > 0 ? null : step;
}
