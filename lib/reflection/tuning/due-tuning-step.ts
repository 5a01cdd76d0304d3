import type { History, Version } from '../history.ts';
import { roundTo6 } from '../round.ts';
import { scoreOf } from '../scored-versions.ts';
import type { ExperimentSettings } from '../settings.ts';
import type { Step } from '../step.ts';
import { isPassedOver, orderedBase } from '../verdicts.ts';
import { candidateState, isHeldBack } from './candidate-state.ts';
import { validationPositions } from './cases-of.ts';
import { dueTry } from './due-try.ts';
import { effectiveTries } from './effective-tries.ts';
import { minibatch, roundsOfEpoch } from './minibatch.ts';
import { selectCandidate } from './select-candidate.ts';

/**
 * What a tuning run does next where nothing ends it and nobody is to be asked: the last version's way to being settled, else the next
 * round. Null when there is nothing to mend: the prompt that was chosen came out right on every training case.
 * Source: GEPA, reflective prompt evolution (Agrawal et al. 2025).
 */
export function dueTuningStep(history: History, settings: ExperimentSettings): Step | null {
  const last = history.versions.at(-1);
  if (last === undefined) return { type: 'give' };
  return dueJudging(history, settings, last) ?? nextRound(history, settings, last);
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
        (due, one) => due ?? dueTry(history, one, positions, 'minibatch'),
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

function validation(history: History, version: number): Step {
  return (
    dueTry(history, version, validationPositions(history), 'validation') ?? {
      type: 'evaluate',
      version,
    }
  );
}

/**
 * The next proposal, or first its parent's tries on the minibatch. Rounds in which all came out right are skipped, with the same
 * parent, until an epoch is through. Where somebody ordered the parent there is a proposal all the same.
 */
function nextRound(history: History, settings: ExperimentSettings, last: Version): Step | null {
  const first = 1 + Math.max(-1, ...history.versions.map(({ proposal }) => proposal?.round ?? -1));
  const ordered = orderedParent(history, last);
  const parent = ordered ?? selectCandidate(history, settings, first) ?? last.number;
  // So many rounds hold a whole epoch wherever they begin in one.
  const end = first + 2 * roundsOfEpoch(history, settings) - 1;
  for (let round = first; round < end; round++) {
    const positions = minibatch(history, settings, round);
    const due = dueTry(history, parent, positions, 'minibatch');
    if (due !== null) return due;
    if (!allRight(history, parent, positions)) return { type: 'propose', parent, round, positions };
  }
  if (ordered === null) return null;
  return { type: 'propose', parent, round: first, positions: minibatch(history, settings, first) };
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

function allRight(history: History, version: number, positions: number[]): boolean {
  const tries = effectiveTries(history, version);
  return positions.every((position) => {
    const tried = tries.get(position);
    return tried?.satisfactory === true && roundTo6(tried.score ?? 0) >= 1;
  });
}
