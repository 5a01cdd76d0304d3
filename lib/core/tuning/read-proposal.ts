import { type History, isFromCases, type ProposalProblem, type Version } from '#lib/core/history.ts';
import { unquote } from '#lib/core/prompts/quote.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { lostAnchors } from './anchors.ts';
import { candidateState, isBlocking } from './candidate-state.ts';
import { minibatchResult } from './minibatch.ts';
import { PROPOSAL_FENCE } from './proposal-prompt.ts';

/** A parsed response to a request for a new prompt: its diagnosis, the prompt, and the problem that makes it unusable. */
export type ReadProposal = { diagnosis: string; prompt: string; problem: ProposalProblem | null };

/**
 * Parses the prompt between the first and the last line of tildes, and the diagnosis before it. A response that reached its token limit, or
 * whose fence is not closed, is truncated, even if it seems complete.
 */
export function readProposal(text: string, finishReason: string): ReadProposal {
  const lines = text.split(/\r?\n/);
  const fences = lines.flatMap((line, at) => (isFence(line) ? [at] : []));
  const [first] = fences;
  const last = fences.at(-1);
  const isCut = finishReason === 'length';
  if (first === undefined || last === undefined) {
    const problem: ProposalProblem = isCut
      ? { kind: 'truncated', text: 'The reply ended at its limit of tokens before the prompt began.' }
      : { kind: 'unreadable', text: `The reply holds no prompt between two lines of ${PROPOSAL_FENCE}.` };
    return { diagnosis: text.trim(), prompt: '', problem };
  }
  const diagnosis = lines.slice(0, first).join('\n').trim();
  const isOpen = first === last;
  const prompt = unquote(lines.slice(first + 1, isOpen ? undefined : last).join('\n')).trim();
  return { diagnosis, prompt, problem: problemOf(prompt, isCut, isOpen) };
}

function problemOf(prompt: string, isCut: boolean, isOpen: boolean): ProposalProblem | null {
  if (isCut) return { kind: 'truncated', text: 'The reply ended at its limit of tokens.' };
  if (isOpen)
    return { kind: 'truncated', text: `The prompt has no end: its closing line of ${PROPOSAL_FENCE} is missing.` };
  return prompt === '' ? { kind: 'empty', text: 'The proposed prompt is empty.' } : null;
}

function isFence(line: string): boolean {
  return /^\s*~{4,}\w*\s*$/.test(line);
}

/** Maximum number of rejected proposals in a request. The latest are included. */
const MAX_REJECTED_PROPOSALS = 5;
const DIAGNOSIS_LENGTH = 300;

/**
 * Returns the reasons why earlier proposals from a prompt were rejected, oldest first, for the model that writes the next one. `as`: only
 * those in this state.
 */
export function rejectionReasons(
  history: History,
  settings: Pick<ExperimentSettings, 'tune'>,
  parent: number,
  as?: 'held_back',
): string[] {
  return history.versions
    .filter(({ proposal, parents }) => isFromCases(proposal) && parents[0] === parent)
    .filter((version) => as === undefined || candidateState(history, settings, version) === as)
    .flatMap((version) => reasonOf(history, settings, version) ?? [])
    .slice(-MAX_REJECTED_PROPOSALS);
}

/** Returns a problem as shown to the reflection model. The words of cases are omitted, because they would confirm a guessed reference. */
export function problemForModel({ kind, text }: ProposalProblem): string {
  return kind === 'copied_cases'
    ? 'It copies cases or lists them with their answers. State general rules instead. It may contain names of labels.'
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
      if (lostAnchors(history, version.number).length > 0)
        return 'It got worse on a case that the first prompt solves better and that must not get worse.';
      const result = minibatchResult(history, version);
      if (result === null) return null;
      const { positions, before, after } = result;
      const diagnosis = (version.proposal?.diagnosis ?? '').slice(0, DIAGNOSIS_LENGTH).toWellFormed();
      return `It scored ${after.toFixed(2)} of ${positions.length}, and the prompt itself scored ${before.toFixed(2)}. Its diagnosis: ${diagnosis}`;
    }
    case 'given':
    case 'by_hand':
    case 'untried':
    case 'accepted':
    case 'combined':
    case 'candidate':
      return null;
  }
}
