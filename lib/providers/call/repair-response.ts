import { jsonrepair } from 'jsonrepair';
import { fencedBlocks, structuredResponse, withoutThinking } from '#lib/core/responses.ts';
import { isJson } from '#lib/core/text-values.ts';
import { toolAnswerText } from '#lib/formats/tool-answer.ts';
import type { RawResponse } from './attempt-once.ts';
import type { ModelRequest } from './model-caller.ts';

/** Warning on a repaired response. */
export const REPAIRED = 'The response was invalid JSON, which Hone repaired.';

/** Maximum text that is repaired, in characters, because jsonrepair takes quadratic time. */
const MAX_REPAIRED_LENGTH = 20_000;

/**
 * Repairs a response with invalid JSON if the result matches the requested schema, which saves the cost of a retry. A truncated response is
 * unchanged because the missing part is unknown.
 */
export function repairResponse(raw: RawResponse, { output }: Pick<ModelRequest, 'output'>): RawResponse {
  const { text, finishReason } = raw;
  if (output === null || finishReason !== 'stop' || text.length > MAX_REPAIRED_LENGTH) return raw;
  if (structuredResponse(text, output.schema).ok) return raw;
  for (const candidate of candidates(withoutThinking(text))) {
    const repaired = repairJsonText(candidate);
    if (repaired !== null && output.schema.safeParse(JSON.parse(repaired)).success)
      return { ...raw, text: repaired, warnings: [...raw.warnings, REPAIRED] };
  }
  return raw;
}

/** Returns texts that may be the JSON object: the last fenced one first, then the text between the outermost braces. */
function candidates(text: string): string[] {
  const begin = text.indexOf('{');
  const end = text.lastIndexOf('}') + 1;
  const outside = begin === -1 ? [] : [text.slice(begin, Math.max(begin, end)), text.slice(begin)];
  return [...fencedBlocks(text).reverse(), ...outside].filter((candidate) => candidate.trimStart().startsWith('{'));
}

function repairJsonText(text: string): string | null {
  try {
    return jsonrepair(text);
  } catch {
    return null;
  }
}

/**
 * Converts a response to a prompt with tools or a response schema to text. Tool calls become JSON (`toolAnswerText`). A response with a
 * schema becomes its JSON, without code fence or prose.
 */
export function promptAnswer(
  response: RawResponse,
  { tools, output }: Pick<ModelRequest, 'tools' | 'output'>,
): RawResponse {
  const { toolCalls = [], ...answered } = response;
  if (tools !== undefined && toolCalls.length > 0)
    return { ...answered, text: toolAnswerText(answered.text, toolCalls) };
  if (output?.jsonSchema === undefined || isJson(response.text)) return response;
  const read = structuredResponse(response.text, output.schema);
  return read.ok ? { ...response, text: JSON.stringify(read.value, null, 2) } : response;
}
