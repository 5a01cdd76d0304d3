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
  /** Which problems another reply may mend; by default those of the reply itself. */
  isReason?: (problem: ProposalProblem) => boolean;
  /** Whether the budgets allow another call. */
  mayAskAgain: boolean;
};

/**
 * Whether the budgets allow the request at a place to be made again, on top of the `planned` calls of a step. It depends on the place only,
 * so that a step that is taken up again asks the same.
 */
export function mayAskAgain(step: Step, planned: number, place: number, { history, settings }: StepContext): boolean {
  return heldBudgets(step, history, settings, planned + place + 1).length === 0;
}

/** Asks the reflection model for a prompt; once more if the reply could not be read to its end or copies cases, within the budgets. */
export async function requestPrompt(
  { place, promptFor, problemsOf, isReason = isProblemOfReply, mayAskAgain: isAskedAgain }: PromptRequest,
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
    wrong = [...new Set(problemsOf(read).filter(isReason).map(problemForModel))];
    if (wrong.length === 0 || outcomes.length === CALLS_PER_PROPOSAL || !isAskedAgain)
      return { read, finishReason, failure: null, spend };
  }
}

/** Whether another reply may mend a problem, and not only the next round. */
function isProblemOfReply({ kind }: ProposalProblem): boolean {
  return REPLY_PROBLEMS.includes(kind);
}

const REPLY_PROBLEMS: readonly ProposalProblem['kind'][] = ['unreadable', 'empty', 'truncated', 'copied_cases'];
