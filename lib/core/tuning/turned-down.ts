import type { History, ProposalProblem, Version } from '../history.ts';
import type { ExperimentSettings } from '../settings.ts';
import { candidateState, isBlocking } from './candidate-state.ts';
import { minibatchResult } from './minibatch-result.ts';

/** Proposals that a reflection is told of, the latest. */
const MOST_TOLD = 5;
const DIAGNOSIS_LENGTH = 300;

/** What earlier proposals from a prompt were turned down for, the oldest first: for the model that writes the next one. */
export function turnedDown(history: History, settings: Pick<ExperimentSettings, 'tune'>, parent: number): string[] {
  return history.versions
    .filter((version) => version.proposal !== null && version.parents[0] === parent)
    .flatMap((version) => reasonOf(history, settings, version) ?? [])
    .slice(-MOST_TOLD);
}

/** A problem as the reflection model is told it. It is not told which words are whose: that would confirm a guessed reference. */
export function problemForModel({ kind, text }: ProposalProblem): string {
  return kind === 'copied_cases'
    ? 'It copies cases or lists them with their answers. State general rules instead; names of labels may stand in it.'
    : text;
}

function reasonOf(history: History, settings: Pick<ExperimentSettings, 'tune'>, version: Version): string | null {
  switch (candidateState(history, settings, version)) {
    case 'held_back':
      return (version.proposal?.problems ?? [])
        .filter(isBlocking)
        .map(problemForModel)
        .filter((text, at, all) => all.indexOf(text) === at)
        .join(' ');
    case 'rejected': {
      const result = minibatchResult(history, version);
      if (result === null) return null;
      const { positions, before, after } = result;
      const diagnosis = (version.proposal?.diagnosis ?? '').slice(0, DIAGNOSIS_LENGTH).toWellFormed();
      return `It scored ${after.toFixed(2)} of ${positions.length} where the prompt itself had ${before.toFixed(2)}. It went by this: ${diagnosis}`;
    }
    case 'given':
    case 'by_hand':
    case 'untried':
    case 'accepted':
    case 'candidate':
      return null;
  }
}
