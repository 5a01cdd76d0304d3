import { EMPTY_HISTORY, type History } from '../history.ts';
import { CANCELLED, type ModelFailure } from '../model-request.ts';
import type { CutOff } from '../step.ts';
import type { StepContext } from '../step-context.ts';
import { traceProblem, traceText } from '../trace.ts';
import { agentProgress, agentSteps, mainTask } from './agent-progress.ts';
import type { ToolCall } from './agent-records.ts';
import { outputOf } from './agent-step.ts';
import type { AgentBase } from './base-settings.ts';
import { leftOutLabel } from './calls-left-out.ts';
import { performTools } from './perform-tools.ts';
import { makeTurns } from './perform-turn.ts';
import { readArguments } from './read-arguments.ts';

/** The answer of an agent to a case. `trace`: thoughts, tool calls and their results. If the agent was cut off, only `output` is empty. */
type AgentAnswer =
  | { ok: true; output: string; finishReason: string; trace: string }
  | { ok: false; failure: ModelFailure };

/**
 * Runs an agent on the case of the context until it answers or is cut off. Ignores the history of the context. Throws if a tool call needs
 * approval, because no reviewer is available.
 */
export async function answerByAgent(base: AgentBase, context: StepContext): Promise<AgentAnswer> {
  let history: History = EMPTY_HISTORY;
  for (;;) {
    const way = agentSteps(history, 0);
    const progress = agentProgress(way, base, mainTask(base));
    if (progress.type === 'done') {
      const { cutOff } = progress;
      const { output, finishReason } = outputOf(way, cutOff);
      // A thought is no answer, and must not be scored as one.
      return { ok: true, output: cutOff === null ? output : '', finishReason, trace: agentTrace(history, cutOff) };
    }
    const { ready, due, asking } = progress;
    const here = { ...context, history };
    if (ready.length > 0) {
      const used = await performTools({ type: 'use_tools', version: 0, calls: ready }, here, base);
      if (used?.type !== 'observations') return CANCELLED;
      history = { ...history, observations: [...history.observations, ...used.observations] };
    } else if (due.length > 0) {
      const made = await makeTurns({ agents: due, version: 0 }, here, base);
      if (made === null) return CANCELLED;
      const failure = made.failed[0]?.failure;
      if (failure !== undefined) return { ok: false, failure };
      history = { ...history, turns: [...history.turns, ...made.turns] };
    } else throw new Error(`the agent must ask a person about ${asking.map(({ tool }) => tool).join(', ')}`);
  }
}

/** Budgets do not cut off an agent during a try. */
type TaskCutOff = Exclude<CutOff, 'budget'>;

/** The thoughts and tool calls as the steps of a trace. The answer is not a step: it is the output. */
function agentTrace({ turns, observations }: History, cutOff: TaskCutOff | null): string {
  const results = new Map(observations.map((observation) => [observation.callId, observation]));
  const useOf = ({ id, tool, arguments: given }: ToolCall) => {
    const result = results.get(id);
    const read = readArguments(given);
    const input = read === null || traceProblem(read) !== null ? given : read;
    if (result === undefined) return { name: tool, input };
    return { name: tool, input, [result.status === 'ok' ? 'output' : 'error']: result.text };
  };
  const steps = turns.flatMap((turn) => {
    const leftOut = leftOutLabel(turn);
    return [
      ...(turn.thought.trim() === '' || turn.thought === turn.answer
        ? []
        : [{ name: 'thought', output: turn.thought }]),
      ...turn.calls.map(useOf),
      ...(leftOut === null ? [] : [{ name: 'tool limit', error: leftOut }]),
    ];
  });
  return traceText([...steps, ...(cutOff === null ? [] : [{ name: 'cut off', error: CUT_OFF_ERRORS[cutOff] }])]);
}

const CUT_OFF_ERRORS: Record<TaskCutOff, string> = {
  turn_limit: 'The agent used all of its turns without answering.',
  stalled: 'The agent repeated the same tool calls.',
  no_answer: 'The agent neither called a tool nor answered.',
};
