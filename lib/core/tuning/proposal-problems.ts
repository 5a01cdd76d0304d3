import { templateVariables } from '#lib/core/prompts/judge-texts.ts';
import { estimatedTokens } from '#lib/core/spend.ts';
import type { History, ProposalProblem, TuningCase, Version } from '../history.ts';
import type { ExperimentSettings } from '../settings.ts';
import { copiedExamples } from './copied-examples.ts';
import type { ReadProposal } from './read-proposal.ts';

/**
 * What the guards find wrong with a proposed prompt, before it is tried and paid for. All but `copied_example` hold it back. Of a text
 * that could not be read nothing else is said. `outputs`: what its model was shown of training cases, by position.
 */
export function proposalProblems(
  { prompt, problem }: Pick<ReadProposal, 'prompt' | 'problem'>,
  history: Pick<History, 'versions' | 'cases'>,
  { tune }: Pick<ExperimentSettings, 'tune'>,
  parent: Pick<Version, 'output'>,
  outputs: ReadonlyMap<number, string> = new Map(),
): ProposalProblem[] {
  if (problem !== null) return [problem];
  return [
    ...sameText(prompt, history, parent),
    ...variableProblems(prompt, history.cases, parent.output),
    ...lengthProblem(prompt, tune.maxPromptTokens),
    ...copiedExamples(prompt, history.cases, parent.output, outputs),
  ];
}

function sameText(
  prompt: string,
  { versions }: Pick<History, 'versions'>,
  parent: Pick<Version, 'output'>,
): ProposalProblem[] {
  if (normal(prompt) === normal(parent.output))
    return [{ kind: 'unchanged', text: 'It is the very prompt it was to improve.' }];
  const before = versions.find(({ output, outputDropped }) => !outputDropped && normal(output) === normal(prompt));
  return before === undefined ? [] : [{ kind: 'repeated', text: `Version ${before.number} has the same text.` }];
}

function normal(text: string): string {
  return text.split(/\s+/).filter(Boolean).join(' ');
}

/** A variable that its parent has too is never unknown: it was seen by whoever wrote the first prompt. */
function variableProblems(prompt: string, cases: TuningCase[], parent: string): ProposalProblem[] {
  const before = templateVariables(parent);
  const now = templateVariables(prompt);
  const has = (list: { name: string }[], name: string) => list.some((one) => one.name === name);
  const missing = before.filter(({ name, known }) => known && !has(now, name));
  const unknown = now.filter(({ name, known }) => !has(before, name) && !(known && isFilled(name, cases)));
  return [
    ...missing.map(({ name }) => ({
      kind: 'missing_variable' as const,
      text: `It lost the variable {{${name}}}.`,
    })),
    ...unknown.map(({ name }) => ({
      kind: 'unknown_variable' as const,
      text: `No case has anything for the variable {{${name}}}.`,
    })),
  ];
}

const METADATA = 'metadata.';

function isFilled(name: string, cases: TuningCase[]): boolean {
  if (!name.startsWith(METADATA)) return true;
  return cases.some(({ metadata }) => Object.hasOwn(metadata, name.slice(METADATA.length)));
}

function lengthProblem(prompt: string, most: number): ProposalProblem[] {
  const tokens = estimatedTokens(prompt);
  if (tokens <= most) return [];
  return [{ kind: 'too_long', text: `It has about ${tokens} tokens; at most ${most} are allowed.` }];
}
