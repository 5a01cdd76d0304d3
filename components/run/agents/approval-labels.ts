import { DELEGATE_TOOL, MAIN_AGENT } from '#lib/core/agents/agent-names.ts';
import type { ToolCall } from '#lib/core/agents/agent-records.ts';
import { isRecord } from '#lib/core/is-record.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import { delegationOf } from './agent-labels.ts';

/** Pause before a tool call of an agent. */
export type ToolPause = NonNullable<RunRecord['waitingFor']> & { toolCall: ToolCall };

/** Returns the current pause of a run if it waits for the approval of a tool call, otherwise null. */
export function toolPauseOf({ waitingFor }: Pick<RunRecord, 'waitingFor'>): ToolPause | null {
  if (waitingFor === null || waitingFor.hook !== 'onToolCall' || waitingFor.toolCall === null) return null;
  return { ...waitingFor, toolCall: waitingFor.toolCall };
}

/** Returns the name of the agent that requests the tool call: `The agent`, or the name of a worker. */
export function toolRequesterLabel({ turns }: Pick<RunRecord, 'turns'>, { version, toolCall }: ToolPause): string {
  const turn = turns.findLast((one) => one.version === version && one.calls.some(({ id }) => id === toolCall.id));
  return turn === undefined || turn.agent === MAIN_AGENT ? 'The agent' : turn.agent;
}

/** Returns the request as a phrase: `wants to use http_get`, `wants to give reader a task`. */
export function toolRequestLabel({ tool, arguments: text }: ToolCall): string {
  const delegation = tool === DELEGATE_TOOL ? delegationOf(text) : null;
  return delegation === null ? `wants to use ${tool}` : `wants to give ${delegation.worker} a task`;
}

/** Returns the problem with arguments edited by a person, or null if they can be sent. */
export function argumentsProblem(text: string): string | null {
  try {
    const read: unknown = JSON.parse(text);
    return isRecord(read) ? null : 'must be a JSON object, such as {"expression": "2 + 2"}';
  } catch {
    return 'must be JSON: check quotes, commas and brackets';
  }
}
