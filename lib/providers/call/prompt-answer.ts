import { structuredReply } from '#lib/core/responses.ts';
import { isJson } from '#lib/core/text-values.ts';
import { toolAnswerText } from '#lib/formats/tool-answer.ts';
import type { ModelRequest } from './model-caller.ts';
import type { RawReply } from './try-once.ts';

/**
 * A reply to a prompt with tools or a response schema of its own, with all of it in the text: tool calls as JSON (`toolAnswerText`), and
 * of an answer by a schema the JSON alone, without a fence or prose around it.
 */
export function promptAnswer(reply: RawReply, { tools, output }: Pick<ModelRequest, 'tools' | 'output'>): RawReply {
  const { toolCalls = [], ...answered } = reply;
  if (tools !== undefined && toolCalls.length > 0)
    return { ...answered, text: toolAnswerText(answered.text, toolCalls) };
  if (output?.jsonSchema === undefined || isJson(reply.text)) return reply;
  const read = structuredReply(reply.text, output.schema);
  return read.ok ? { ...reply, text: JSON.stringify(read.value, null, 2) } : reply;
}
