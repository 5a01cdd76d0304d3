import type { ProposalProblem } from '../history.ts';
import { unquote } from '../prompts/quote.ts';
import { PROPOSAL_FENCE } from './proposal-prompt.ts';

/** A reply that was asked for a new prompt: what it says is wrong, the prompt, and what keeps it from being used. */
export type ReadProposal = { diagnosis: string; prompt: string; problem: ProposalProblem | null };

/**
 * Reads the prompt between the first and the last line of tildes, and the diagnosis before it. A reply that ended at its limit of
 * tokens, or whose fence stays open, is truncated, however whole it looks.
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
