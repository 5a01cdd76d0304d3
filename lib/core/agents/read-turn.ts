import type { AgentTurn } from '../history.ts';
import type { ModelReply } from '../model-request.ts';
import type { DueTurn } from '../step.ts';
import { MOST_CALLS } from './calls-left-out.ts';
import { boundedText } from './read-arguments.ts';

/** Characters of a thought, an answer, and the arguments of a call. */
const LONGEST_TEXT = 200_000;
/** Characters of a tool's name: longer ones are no tool's. */
const LONGEST_NAME = 200;

type ReadTurn = Pick<AgentTurn, 'thought' | 'calls' | 'callsLeftOut' | 'answer' | 'finishReason'>;

/**
 * What an agent's model said: tools to use with the thought before it, or its answer. A text that begins with `Thought:` is a thought up to
 * the line `Final Answer:`. Calls are numbered here, for models repeat their ids; those beyond the limit are counted.
 */
export function readTurn(
  reply: Pick<ModelReply, 'text' | 'thought' | 'toolCalls' | 'callsLeftOut' | 'finishReason'>,
  due: DueTurn,
): ReadTurn {
  const text = boundedText(reply.text, LONGEST_TEXT);
  const { finishReason } = reply;
  const given = reply.toolCalls ?? [];
  if (given.length > 0) {
    const calls = given.slice(0, MOST_CALLS).map((call, place) => ({
      id: callId(due, place),
      tool: boundedText(call.tool, LONGEST_NAME),
      arguments: boundedText(call.arguments, LONGEST_TEXT),
    }));
    const callsLeftOut = (reply.callsLeftOut ?? 0) + given.length - calls.length;
    return { thought: text.trim(), calls, callsLeftOut, answer: null, finishReason };
  }
  const [before, after] = reply.thought === undefined ? parted(text) : [boundedText(reply.thought, LONGEST_TEXT), text];
  const answer = after.trim();
  return { thought: before, calls: [], callsLeftOut: 0, answer: answer === '' ? null : answer, finishReason };
}

/** The place of a call: turn and place in it, after that of the delegation where a worker makes it. */
function callId({ delegation, number }: DueTurn, place: number): string {
  const own = `${number}.${place}`;
  return delegation === null ? own : `${delegation}/${own}`;
}

/** A text in the form of ReAct; any other is an answer as a whole, also one that speaks of a final answer. */
function parted(text: string): [thought: string, answer: string] {
  const opening = /^\s*Thought(?: \d+)?:/.exec(text);
  const marker = /^[ \t]*\**Final Answer:\**[ \t]*/m.exec(text);
  if (opening === null || marker === null) return ['', text];
  return [text.slice(opening[0].length, marker.index).trim(), text.slice(marker.index + marker[0].length)];
}
