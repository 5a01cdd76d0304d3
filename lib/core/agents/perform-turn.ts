import type { Prompt } from '#lib/core/prompts/render-template.ts';
import { withoutThinking } from '#lib/core/responses.ts';
import { spendOfCall, sumSpend } from '#lib/core/spend.ts';
import { failedStep, type StepContext, stamp } from '#lib/core/step-context.ts';
import { buildDraftInput, type DraftInput } from '../draft-input.ts';
import type { AgentTurn } from '../history.ts';
import type { ModelFailure, ModelRequest } from '../model-request.ts';
import { agentPrompt, workerPrompt } from '../prompts/agent-prompt.ts';
import { callSettings, type ModelReference } from '../settings.ts';
import type { DueTurn, Step, StepResult } from '../step.ts';
import type { Spend } from '../token-usage.ts';
import { type AgentTask, agentSteps, delegationAt, mainTask, workerTask } from './agent-progress.ts';
import type { AgentMessage, ToolDefinition } from './agent-records.ts';
import type { AgentBase } from './base-settings.ts';
import { conversationOf } from './conversation-of.ts';
import { readTurn } from './read-turn.ts';
import { DELEGATE_TOOL } from './tool-calls.ts';
import { workerLessons } from './worker-lessons.ts';

type TurnStep = Extract<Step, { type: 'turn' }>;

/** Completed turns and failed calls, each with its cost. */
export type MadeTurns = {
  turns: AgentTurn[];
  failed: { failure: ModelFailure; spend: Spend }[];
  /** Number of lessons in the prompts. */
  recalled: number;
};

/**
 * Performs the turns of a step in parallel. Completed turns are kept even if another's call failed, and only that turn is due again.
 * Returns null if all were aborted.
 */
export async function performTurn(step: TurnStep, context: StepContext, base: AgentBase): Promise<StepResult | null> {
  const startedAt = context.now().getTime();
  const made = await makeTurns(step, context, base);
  if (made === null) return null;
  const { turns, failed, recalled } = made;
  const lost = sumSpend(failed.map(({ spend }) => spend));
  if (turns.length > 0) {
    const durationMs = Math.max(0, context.now().getTime() - startedAt);
    return { type: 'turns', turns, recalled, durationMs, lost };
  }
  const first = failed.find(({ failure }) => failure.kind !== 'aborted');
  return first === undefined ? null : failedStep(context, 'generate', first.failure, lost);
}

/** Requests turns in parallel. An empty response is a turn without answer or tool call. Null if the recall of lessons was aborted. */
export async function makeTurns(
  { agents, version }: Pick<TurnStep, 'agents' | 'version'>,
  context: StepContext,
  base: AgentBase,
): Promise<MadeTurns | null> {
  const drafted = await buildDraftInput(context);
  if (drafted === null) return null;
  const requests = agents.map((due, index) => requestOf(due, index, version, context, base, drafted));
  const outcomes = await Promise.all(requests.map((request) => context.call(context.history.step, request)));
  const turns: AgentTurn[] = [];
  const failed: MadeTurns['failed'] = [];
  agents.forEach((due, index) => {
    const outcome = outcomes[index];
    if (outcome === undefined) return;
    // The recall of lessons is part of the first turn of the attempt.
    const found = due.delegation === null ? [drafted.lessons.spend] : [];
    const spend = sumSpend([spendOfCall(outcome), ...found]);
    const response = outcome.ok ? { ...outcome.reply, text: withoutThinking(outcome.reply.text) } : NO_RESPONSE;
    if (outcome.ok || outcome.failure.kind === 'empty')
      turns.push({
        ...due,
        ...spend,
        version,
        ...readTurn(response, due),
        ...stamp(context),
      });
    else failed.push({ failure: outcome.failure, spend });
  });
  return { turns, failed, recalled: drafted.lessons.recalledLessons.length };
}

const NO_RESPONSE = { text: '', finishReason: 'stop' };

function requestOf(
  due: DueTurn,
  index: number,
  version: number,
  { history, settings, toolDefinitions = [] }: StepContext,
  base: AgentBase,
  drafted: DraftInput,
): ModelRequest {
  const request = due.delegation === null ? mainAsked(settings.generator, base, drafted) : workerAsked(due.delegation);
  const { task, prompt, model } = request;
  return {
    role: 'turn',
    ordinal: index,
    model,
    ...prompt,
    ...callSettings(settings, due.delegation === null ? 'generate' : 'worker', model),
    output: null,
    conversation: {
      messages: [...conversationOf(history, version, due.delegation), ...lastTurnMessages(due, task)],
      tools: agentTools(base, task, toolDefinitions),
    },
  };

  function workerAsked(delegation: string): Asked {
    const delegated = delegationAt(agentSteps(history, version), base, delegation);
    const { worker } = delegated;
    const model = {
      provider: worker.provider ?? settings.generator.provider,
      model: worker.model ?? settings.generator.model,
    };
    const lessons = workerLessons(drafted.lessons, settings, worker, delegated.task);
    return { task: workerTask(delegated, delegation), prompt: workerPrompt(worker, delegated.task, lessons), model };
  }
}

/** Returns the message that requires an answer in the last turn of an agent that has used tools in all others. */
function lastTurnMessages({ number }: DueTurn, { maxSteps }: AgentTask): AgentMessage[] {
  const text = 'This is your last turn: answer now with what you have found, without using a tool.';
  return number > 0 && number + 1 >= maxSteps ? [{ role: 'user', text }] : [];
}

type Asked = { task: AgentTask; prompt: Prompt; model: ModelReference };

function mainAsked({ provider, model }: ModelReference, base: AgentBase, drafted: DraftInput): Asked {
  return { task: mainTask(base), prompt: agentPrompt(base, drafted.prompt), model: { provider, model } };
}

/** Returns the tools offered to an agent for a task, in the order of its settings. Unavailable tools are omitted. */
function agentTools(
  base: AgentBase,
  { tools, delegation }: AgentTask,
  definitions: readonly ToolDefinition[],
): ToolDefinition[] {
  const available = tools.flatMap((name) => definitions.find((definition) => definition.name === name) ?? []);
  return base.type === 'supervisor' && delegation === null ? [delegateTool(base), ...available] : available;
}

function delegateTool({ workers }: Extract<AgentBase, { type: 'supervisor' }>): ToolDefinition {
  return {
    name: DELEGATE_TOOL,
    description:
      'Gives a task to one of your workers and returns its answer. Use it several times in one turn to have workers work at the same time.',
    parameters: {
      type: 'object',
      properties: {
        worker: { type: 'string', enum: workers.map(({ name }) => name), description: 'who is to do it' },
        task: {
          type: 'string',
          description: 'what it is to do, with everything it needs to know: it sees nothing else',
        },
      },
      required: ['worker', 'task'],
      additionalProperties: false,
    },
  };
}
