import { DELEGATE_TOOL, MAIN_AGENT } from '#lib/core/agents/agent-names.ts';
import type { ToolCall } from '#lib/core/agents/agent-records.ts';
import { isRecord } from '#lib/core/is-record.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import { delegationOf } from './agent-labels.ts';

/** The pause at which an agent wants to use a tool. */
export type ToolPause = NonNullable<RunRecord['waitingFor']> & { toolCall: ToolCall };

/** The pause that a run waits at, where somebody is asked about the use of a tool. */
export function toolPauseOf({ waitingFor }: Pick<RunRecord, 'waitingFor'>): ToolPause | null {
  if (waitingFor === null || waitingFor.hook !== 'onToolCall' || waitingFor.toolCall === null) return null;
  return { ...waitingFor, toolCall: waitingFor.toolCall };
}

/** Who wants to use the tool: `The agent`, or the worker by its name. */
export function whoAsks({ turns }: Pick<RunRecord, 'turns'>, { version, toolCall }: ToolPause): string {
  const turn = turns.findLast((one) => one.version === version && one.calls.some(({ id }) => id === toolCall.id));
  return turn === undefined || turn.agent === MAIN_AGENT ? 'The agent' : turn.agent;
}

/** What it wants: `wants to use http_get`, `wants to give reader a task`. */
export function wishWords({ tool, arguments: text }: ToolCall): string {
  const delegation = tool === DELEGATE_TOOL ? delegationOf(text) : null;
  return delegation === null ? `wants to use ${tool}` : `wants to give ${delegation.worker} a task`;
}

/** What is wrong with arguments that a person wrote; null where they can be sent. */
export function argumentsProblem(text: string): string | null {
  try {
    const read: unknown = JSON.parse(text);
    return isRecord(read) ? null : 'must be a JSON object, such as {"expression": "2 + 2"}';
  } catch {
    return 'must be JSON: check quotes, commas and brackets';
  }
}
