import { jsonSchema, type ToolSet } from 'ai';
import type { ToolCall, ToolDefinition } from '#lib/core/agents/agent-records.ts';
import { MOST_CALLS } from '#lib/core/agents/calls-left-out.ts';
import type { ModelReply } from './model-caller.ts';
import { storableText } from './storable-text.ts';

/** Tools as the AI SDK tells a provider of them. It never uses one itself: that is a step of the loop. */
export function toolSet(tools: readonly ToolDefinition[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, parameters }) => [name, { description, inputSchema: jsonSchema(parameters) }]),
  );
}

/** Longest arguments of a call, in characters: what is cut off then is no JSON any more, and the model is told. */
const LONGEST_ARGUMENTS = 200_000;
const LONGEST_NAME = 200;

/** Calls of a model, which are hostile: bounded, and fit to be stored. Those beyond the limit of a turn are counted, and said. */
export function receivedCalls(
  calls: readonly ToolCall[],
): Required<Pick<ModelReply, 'toolCalls' | 'callsLeftOut' | 'warnings'>> {
  const toolCalls = calls.slice(0, MOST_CALLS).map((call) => ({
    id: storableText(call.id.slice(0, LONGEST_NAME)),
    tool: storableText(call.tool.slice(0, LONGEST_NAME)),
    arguments: storableText(call.arguments.slice(0, LONGEST_ARGUMENTS)),
  }));
  const callsLeftOut = calls.length - toolCalls.length;
  const warnings =
    callsLeftOut > 0
      ? [`The model wanted to use tools ${calls.length} times at once; the first ${MOST_CALLS} were taken.`]
      : [];
  return { toolCalls, callsLeftOut, warnings };
}
