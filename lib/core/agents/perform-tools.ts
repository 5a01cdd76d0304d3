import { type StepContext, stamp } from '#lib/core/step-context.ts';
import type { Observation } from '../history.ts';
import type { Step, StepResult } from '../step.ts';
import {
  type AgentSteps,
  type AgentTask,
  agentProgress,
  agentSteps,
  delegationAt,
  findCallDecision,
  mainTask,
  workerTask,
} from './agent-progress.ts';
import { MAX_OBSERVATION_LENGTH, type ToolCall, type ToolOutcome } from './agent-records.ts';
import type { AgentBase } from './base-settings.ts';
import { boundedText, readArguments, readDelegation } from './read-arguments.ts';
import { DELEGATE_TOOL } from './tool-calls.ts';

const MAX_NAMED_TOOLS = 40;

/**
 * Performs the tool calls of a step in parallel. A call that cannot be performed fails nothing: the agent receives an error with a remedy.
 * Results are kept even if another call was aborted, and only that call is due again. Returns null if all were aborted.
 */
export async function performTools(
  step: Extract<Step, { type: 'use_tools' }>,
  context: StepContext,
  base: AgentBase,
): Promise<StepResult | null> {
  const startedAt = context.now().getTime();
  const way = agentSteps(context.history, step.version);
  const outcomes = await Promise.all(step.calls.map((call) => outcomeOf(call, way, context, base)));
  const observations = step.calls.flatMap((call, index): Observation[] => {
    const outcome = outcomes[index] ?? null;
    if (outcome === null) return [];
    return [
      {
        version: step.version,
        callId: call.id,
        tool: call.tool,
        status: outcome.status,
        durationMs: Math.round(outcome.durationMs),
        text: boundedText(outcome.text, MAX_OBSERVATION_LENGTH),
        ...stamp(context),
      },
    ];
  });
  if (observations.length === 0) return null;
  return { type: 'observations', observations, durationMs: Math.max(0, context.now().getTime() - startedAt) };
}

async function outcomeOf(
  call: ToolCall,
  way: AgentSteps,
  context: StepContext,
  base: AgentBase,
): Promise<ToolOutcome | null> {
  const turn = way.turns.find(({ calls }) => calls.some(({ id }) => id === call.id));
  if (turn === undefined) throw new Error(`no agent requested the tool call ${call.id}`);
  const task =
    turn.delegation === null ? mainTask(base) : workerTask(delegationAt(way, base, turn.delegation), turn.delegation);
  if (call.tool === DELEGATE_TOOL && base.type === 'supervisor' && task.delegation === null) {
    const delegated = readDelegation(call, base);
    return delegated.ok ? workersAnswer(way, base, workerTask(delegated, call.id)) : { ...delegated, durationMs: 0 };
  }
  if (!task.tools.includes(call.tool))
    return { status: 'unknown_tool', text: unknownTool(call.tool, task, base), durationMs: 0 };
  if (readArguments(call.arguments) === null)
    return {
      status: 'malformed',
      text: 'The arguments are no JSON object, so the tool was not used. Write them again as one JSON object.',
      durationMs: 0,
    };
  const decision = base.approve.includes(call.tool) ? findCallDecision(way, turn, call) : null;
  if (decision !== null && decision.decision !== 'allow')
    return { status: 'refused', text: refusal(decision.reason), durationMs: 0 };
  const { useTool: use } = context;
  if (use === undefined) return NO_TOOLS;
  return use(context.history.step, { ...call, arguments: decision?.toolArguments ?? call.arguments });
}

/** Outcome of a call where there are no tools. */
export const NO_TOOLS: ToolOutcome = { status: 'failed', text: 'There are no tools here.', durationMs: 0 };

/** Returns the answer of a worker that finished its task. The cost is recorded in its turns. */
function workersAnswer(way: AgentSteps, base: AgentBase, task: AgentTask): ToolOutcome {
  const progress = agentProgress(way, base, task);
  if (progress.type === 'at_work') throw new Error(`${task.agent} has not finished`);
  const durationMs = progress.turns.reduce((sum, turn) => sum + turn.durationMs, 0);
  const { answer = null, thought = '' } = progress.turns.at(-1) ?? {};
  if (progress.cutOff === null) return { status: 'ok', text: answer ?? '', durationMs };
  const reasons: Record<typeof progress.cutOff, string> = {
    turn_limit: `it had all of its ${task.maxSteps} turns`,
    stalled: 'it did the very same again and again',
    no_answer: 'it neither used a tool nor answered',
  };
  const lastThought = thought === '' ? '' : ` Its last thought: ${thought}`;
  return {
    status: 'failed',
    text: `${task.agent} did not answer: ${reasons[progress.cutOff]}.${lastThought}`,
    durationMs,
  };
}

function unknownTool(name: string, { tools, delegation }: AgentTask, base: AgentBase): string {
  const names = base.type === 'supervisor' && delegation === null ? [DELEGATE_TOOL, ...tools] : tools;
  const more = names.length > MAX_NAMED_TOOLS ? ` and ${names.length - MAX_NAMED_TOOLS} more` : '';
  const remedy =
    names.length === 0
      ? 'You have no tools: answer without one.'
      : `Use one of these: ${names.slice(0, MAX_NAMED_TOOLS).join(', ')}${more}.`;
  return `You have no tool ${JSON.stringify(name.slice(0, 80).toWellFormed())}. ${remedy}`;
}

function refusal(reason: string | null): string {
  const why = reason === null || reason.trim() === '' ? '' : ` The reason: ${reason.trim()}`;
  return `This use of the tool was not allowed, so it was not used.${why} Go on without it, or in another way.`;
}
