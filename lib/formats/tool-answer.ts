import { isRecord } from '#lib/core/is-record.ts';
import { parseJson, parseJsonOrText } from '#lib/core/json-values.ts';

/** An output that calls tools. `arguments` is a text if the model wrote invalid JSON. */
type ToolAnswer = { text: string; toolCalls: { name: string; arguments: unknown }[] };

/** Formats a response that calls tools as JSON text, the output of a version. */
export function toolAnswerText(text: string, calls: readonly { tool: string; arguments: string }[]): string {
  const toolCalls = calls.map((call) => ({
    name: call.tool,
    arguments: call.arguments.trim() === '' ? {} : parseJsonOrText(call.arguments),
  }));
  return JSON.stringify({ text: text.trim(), toolCalls }, null, 2);
}

/** Parses an output that calls tools, else returns null. Uses no schema, because every page that shows outputs loads this module. */
export function readToolAnswer(output: string): ToolAnswer | null {
  if (!output.trimStart().startsWith('{') || !output.includes('"toolCalls"')) return null;
  const answer = parseJson(output);
  if (!isRecord(answer) || typeof answer.text !== 'string' || !Array.isArray(answer.toolCalls)) return null;
  const toolCalls = answer.toolCalls.map(readCall);
  return toolCalls.length > 0 && toolCalls.every((call) => call !== null) ? { text: answer.text, toolCalls } : null;
}

function readCall(call: unknown): ToolAnswer['toolCalls'][number] | null {
  return isRecord(call) && typeof call.name === 'string' ? { name: call.name, arguments: call.arguments } : null;
}
