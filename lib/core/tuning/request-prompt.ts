import { CALLS_PER_PROPOSAL, partOrdinal } from '../create-reused-reply.ts';
import type { ProposalProblem } from '../history.ts';
import type { ModelFailure, ModelOutcome } from '../model-request.ts';
import { modelFor } from '../model-roles.ts';
import type { Prompt } from '../prompts/render-template.ts';
import { withoutThinking } from '../responses.ts';
import { callSettings } from '../settings.ts';
import { spendOfCall, sumSpend } from '../spend.ts';
import type { StepContext } from '../step-context.ts';
import type { Spend } from '../token-usage.ts';
import { problemForModel, type ReadProposal, readProposal } from './read-proposal.ts';

/** A prompt that the reflection model wrote. `spend`: of all calls. */
export type WrittenPrompt = { read: ReadProposal; finishReason: string; spend: Spend };

export type PromptRequest = {
  /** Requests that are made first, in parallel. Their replies are part of the prompt. */
  parts?: readonly Prompt[];
  /** `wrong`: the reasons why the previous reply was unusable, null the first time. `replies`: replies to the parts. */
  promptFor: (wrong: string[] | null, replies: readonly string[]) => Prompt;
  problemsOf: (read: ReadProposal) => ProposalProblem[];
  /** Problems that a retry may fix. Default: those of the response itself. */
  isReason?: (problem: ProposalProblem) => boolean;
};

/** Prompts in the order of the requests, null for failed ones. `failure`: the first failure. `lost`: spend of failed ones. */
type WrittenPrompts = { written: (WrittenPrompt | null)[]; failure: ModelFailure | null; lost: Spend };

/**
 * Requests prompts from the reflection model in parallel. Each is retried once if its reply is unusable and the budgets allow it. This only
 * depends on its index, so that a resumed step makes the same calls. `mayRetry`: by the index of the request. Returns null if a call was
 * aborted: the step is repeated with the saved replies.
 */
export async function requestPrompts(
  mayRetry: (index: number) => boolean,
  requests: readonly PromptRequest[],
  context: StepContext,
): Promise<WrittenPrompts | null> {
  const results = await Promise.all(
    requests.map((request, index) => requestPrompt(request, index, mayRetry(index), context)),
  );
  const failed = results.flatMap((result) => ('failure' in result ? [result] : []));
  if (failed.some(({ failure }) => failure.kind === 'aborted')) return null;
  return {
    written: results.map((result) => ('failure' in result ? null : result)),
    failure: failed[0]?.failure ?? null,
    lost: sumSpend(failed.map(({ spend }) => spend)),
  };
}

async function requestPrompt(
  { parts = [], promptFor, problemsOf, isReason = isProblemOfReply }: PromptRequest,
  index: number,
  mayRetry: boolean,
  { history, settings, call }: StepContext,
): Promise<WrittenPrompt | { failure: ModelFailure; spend: Spend }> {
  const request = (ordinal: number, prompt: Prompt) =>
    call(history.step, {
      role: 'reflect',
      ordinal,
      model: modelFor(settings, 'reflect'),
      ...prompt,
      ...callSettings(settings, 'reflect'),
      output: null,
    });
  const partial = await Promise.all(parts.map((prompt, part) => request(partOrdinal(index, part), prompt)));
  const spendOfParts = partial.map(spendOfCall);
  const failures = partial.flatMap((outcome) => (outcome.ok ? [] : [outcome.failure]));
  const failure = failures.find(({ kind }) => kind === 'aborted') ?? failures[0];
  if (failure !== undefined) return { failure, spend: sumSpend(spendOfParts) };
  const replies = partial.flatMap((outcome) => (outcome.ok ? [withoutThinking(outcome.reply.text)] : []));
  const outcomes: ModelOutcome[] = [];
  let wrong: string[] | null = null;
  for (;;) {
    const outcome = await request(index * CALLS_PER_PROPOSAL + outcomes.length, promptFor(wrong, replies));
    outcomes.push(outcome);
    const spend = sumSpend([...spendOfParts, ...outcomes.map(spendOfCall)]);
    if (!outcome.ok) return { failure: outcome.failure, spend };
    const { text, finishReason } = outcome.reply;
    const read = readProposal(withoutThinking(text), finishReason);
    wrong = [...new Set(problemsOf(read).filter(isReason).map(problemForModel))];
    if (wrong.length === 0 || outcomes.length === CALLS_PER_PROPOSAL || !mayRetry) return { read, finishReason, spend };
  }
}

/** True if a retry may fix a problem. Other problems are left to the next round. */
function isProblemOfReply({ kind }: ProposalProblem): boolean {
  return REPLY_PROBLEMS.includes(kind);
}

const REPLY_PROBLEMS: readonly ProposalProblem['kind'][] = ['unreadable', 'empty', 'truncated', 'copied_cases'];
