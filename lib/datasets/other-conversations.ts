import type { ChatRole } from '#lib/core/chat/chat-roles.ts';
import { isRecord } from '#lib/core/is-record.ts';

/** Senders of ShareGPT (`from`) and message types of LangChain and LangSmith (`type`). */
const ROLES = new Map<unknown, ChatRole>([
  ['system', 'system'],
  ...['human', 'user'].map((name) => [name, 'user'] as const),
  ...['gpt', 'chatgpt', 'ai', 'assistant'].map((name) => [name, 'assistant'] as const),
  ['tool', 'tool'],
]);

/**
 * Converts a conversation of ShareGPT (`from`, `value`), LangChain or LangSmith (`type`, `content`) to messages as OpenAI writes them.
 * Returns null for other values and unknown senders.
 */
export function messagesOfOther(value: unknown): Record<string, unknown>[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const messages = value.map(messageOf).filter((one) => one !== null);
  return messages.length === value.length && messages.some(({ role }) => role === 'user') ? messages : null;
}

function messageOf(value: unknown): Record<string, unknown> | null {
  if (!isRecord(value)) return null;
  const from = ROLES.get(value.from);
  if (from !== undefined && from !== 'tool' && typeof value.value === 'string')
    return { role: from, content: value.value };
  const role = ROLES.get(value.type);
  const message = isRecord(value.data) ? value.data : value;
  if (role === undefined || !Object.hasOwn(message, 'content')) return null;
  const { content, name, tool_call_id, tool_calls } = message;
  const calls = Array.isArray(tool_calls) && tool_calls.length > 0 ? tool_calls.map(callOf) : undefined;
  return { role, content, ...(role === 'tool' && { name, tool_call_id }), ...(calls && { tool_calls: calls }) };
}

/** Converts a tool call of LangChain to one of OpenAI. */
function callOf(call: unknown): unknown {
  if (!isRecord(call) || !isRecord(call.args)) return call;
  return { id: call.id, function: { name: call.name, arguments: JSON.stringify(call.args) } };
}
