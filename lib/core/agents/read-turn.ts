import type { AgentTurn } from '../history.ts';
import type { ModelResponse } from '../model-request.ts';
import type { DueTurn } from '../step.ts';
import { boundedText } from './read-arguments.ts';
import { MAX_CALLS_PER_TURN } from './tool-calls.ts';

/** Maximum characters of a thought, of an answer, and of the arguments of a call. */
const MAX_TEXT_LENGTH = 200_000;
/** Maximum characters of a tool's name. Longer names match no tool. */
const MAX_TOOL_NAME_LENGTH = 200;

type ReadTurn = Pick<AgentTurn, 'thought' | 'calls' | 'callsLeftOut' | 'answer' | 'finishReason'>;

/**
 * Parses the response of an agent's model: tool calls with the preceding thought, or its answer. A text that starts with `Thought:` is a
 * thought up to the line `Final Answer:`. Calls are numbered here because models repeat their ids. Calls beyond the limit are counted.
 */
export function readTurn(
  response: Pick<ModelResponse, 'text' | 'thought' | 'toolCalls' | 'callsLeftOut' | 'finishReason'>,
  due: DueTurn,
): ReadTurn {
  const text = boundedText(response.text, MAX_TEXT_LENGTH);
  const { finishReason } = response;
  const toolCalls = response.toolCalls ?? [];
  if (toolCalls.length > 0) {
    const calls = toolCalls.slice(0, MAX_CALLS_PER_TURN).map((call, index) => ({
      id: callId(due, index),
      tool: boundedText(call.tool, MAX_TOOL_NAME_LENGTH),
      arguments: boundedText(call.arguments, MAX_TEXT_LENGTH),
      ...(call.replay !== undefined && { replay: call.replay }),
    }));
    const callsLeftOut = (response.callsLeftOut ?? 0) + toolCalls.length - calls.length;
    return { thought: text.trim(), calls, callsLeftOut, answer: null, finishReason };
  }
  const [before, after] =
    response.thought === undefined ? splitThought(text) : [boundedText(response.thought, MAX_TEXT_LENGTH), text];
  const answer = after.trim();
  return { thought: before, calls: [], callsLeftOut: 0, answer: answer === '' ? null : answer, finishReason };
}

/** Returns the position of a call: turn and index in it, prefixed with the position of the delegation for a worker's call. */
function callId({ delegation, number }: DueTurn, index: number): string {
  const own = `${number}.${index}`;
  return delegation === null ? own : `${delegation}/${own}`;
}

/** Splits a text in ReAct format. Any other text is entirely an answer, even if it mentions a final answer. */
function splitThought(text: string): [thought: string, answer: string] {
  const opening = /^\s*Thought(?: \d+)?:/.exec(text);
  const marker = /^[ \t]*\**Final Answer:\**[ \t]*/m.exec(text);
  if (opening === null || marker === null) return ['', text];
  return [text.slice(opening[0].length, marker.index).trim(), text.slice(marker.index + marker[0].length)];
}
