import { heldBudgets } from '../estimate-next-step.ts';
import type { ProposalProblem } from '../history.ts';
import type { ModelFailure, ModelOutcome } from '../model-request.ts';
import { CALLS_PER_PROPOSAL } from '../paid-before.ts';
import type { Prompt } from '../prompts/render-template.ts';
import { withoutThinking } from '../responses.ts';
import { callSettings, modelFor } from '../settings.ts';
import { spendOfCall, sumSpend } from '../spend.ts';
import type { Step } from '../step.ts';
import type { StepContext } from '../step-context.ts';
import type { Spend } from '../token-usage.ts';
import { problemForModel, type ReadProposal, readProposal } from './read-proposal.ts';

/** A prompt that the reflection model wrote, or the failure of the last call. `spend`: of all calls. */
export type RequestedPrompt = { spend: Spend } & (
  | { read: ReadProposal; finishReason: string; failure: null }
  | { failure: ModelFailure }
);

type PromptRequest = {
  /** Its place among those that are requested at the same time, from 0: it decides the ordinals of its calls. */
  place: number;
  /** `wrong`: why the reply before could not be used; null the first time. */
  promptFor: (wrong: string[] | null) => Prompt;
  problemsOf: (read: ReadProposal) => ProposalProblem[];
  /** Whether the budgets hold one call more. */
  mayAskAgain: () => boolean;
};

/**
 * Counts the calls that come on top of those a step was planned with. `planned`: their number. The answer says whether the budgets hold one
 * more, and counts it.
 */
export function callsOnTop(step: Step, planned: number, { history, settings }: StepContext): () => boolean {
  let more = 0;
  return () => {
    if (heldBudgets(step, history, settings, planned + more + 1).length > 0) return false;
    more++;
    return true;
  };
}

/** Asks the reflection model for a prompt; once more if the reply could not be read to its end or copies cases, within the budgets. */
export async function requestPrompt(
  { place, promptFor, problemsOf, mayAskAgain }: PromptRequest,
  { history, settings, call }: StepContext,
): Promise<RequestedPrompt> {
  const outcomes: ModelOutcome[] = [];
  let wrong: string[] | null = null;
  for (;;) {
    const outcome = await call(history.step, {
      role: 'reflect',
      ordinal: place * CALLS_PER_PROPOSAL + outcomes.length,
      model: modelFor(settings, 'reflect'),
      ...promptFor(wrong),
      ...callSettings(settings, 'reflect'),
      output: null,
    });
    outcomes.push(outcome);
    const spend = sumSpend(outcomes.map(spendOfCall));
    if (!outcome.ok) return { failure: outcome.failure, spend };
    const { text, finishReason } = outcome.reply;
    const read = readProposal(withoutThinking(text), finishReason);
    wrong = reasonsToAskAgain(problemsOf(read));
    if (wrong.length === 0 || outcomes.length === CALLS_PER_PROPOSAL || !mayAskAgain())
      return { read, finishReason, failure: null, spend };
  }
}

/** What is wrong with a reply that another one may mend; empty where there is nothing, or what only the next round can mend. */
function reasonsToAskAgain(problems: readonly ProposalProblem[]): string[] {
  const found = problems.filter(({ kind }) => REPLY_PROBLEMS.includes(kind)).map(problemForModel);
  return [...new Set(found)];
}

const REPLY_PROBLEMS: readonly ProposalProblem['kind'][] = ['unreadable', 'empty', 'truncated', 'copied_cases'];
