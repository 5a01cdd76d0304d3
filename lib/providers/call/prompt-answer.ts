import { structuredReply } from '#lib/core/responses.ts';
import { isJson } from '#lib/core/text-values.ts';
import { toolAnswerText } from '#lib/formats/tool-answer.ts';
import type { ModelRequest } from './model-caller.ts';
import type { RawReply } from './try-once.ts';

/**
 * Converts a response to a prompt with tools or a response schema to text. Tool calls become JSON (`toolAnswerText`). A response with a
 * schema becomes its JSON, without code fence or prose.
 */
export function promptAnswer(reply: RawReply, { tools, output }: Pick<ModelRequest, 'tools' | 'output'>): RawReply {
  const { toolCalls = [], ...answered } = reply;
  if (tools !== undefined && toolCalls.length > 0)
    return { ...answered, text: toolAnswerText(answered.text, toolCalls) };
  if (output?.jsonSchema === undefined || isJson(reply.text)) return reply;
  const read = structuredReply(reply.text, output.schema);
  return read.ok ? { ...reply, text: JSON.stringify(read.value, null, 2) } : reply;
}
