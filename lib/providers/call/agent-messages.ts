import type { ModelMessage } from 'ai';
import type { AgentMessage, ToolCall } from '#lib/core/agents/agent-records.ts';

/**
 * Converts messages with tool calls to those of the AI SDK. Most providers refuse our call ids, so each
 * call gets an id of nine letters and digits, which all of them accept. Messages of the AI SDK, given as lists, are kept.
 */
export function agentMessages(messages: readonly (AgentMessage | ModelMessage[])[]): ModelMessage[] {
  const ids = new Map<string, string>();
  const wireId = (id: string) => {
    const known = ids.get(id) ?? `c${String(ids.size).padStart(8, '0')}`;
    ids.set(id, known);
    return known;
  };
  return messages.flatMap((message) => (Array.isArray(message) ? message : messageOf(message, wireId)));
}

function messageOf(message: AgentMessage, wireId: (id: string) => string): ModelMessage {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: message.text };
    case 'assistant':
      return {
        role: 'assistant',
        content: [
          // Providers refuse an empty message.
          ...(message.text.trim() === '' && message.calls.length > 0
            ? []
            : [{ type: 'text' as const, text: message.text.trim() === '' ? '(no answer)' : message.text }]),
          ...message.calls.map((call) => ({
            type: 'tool-call' as const,
            toolCallId: wireId(call.id),
            toolName: call.tool,
            input: inputOf(call),
          })),
        ],
      };
    case 'tool':
      return {
        role: 'tool',
        content: message.results.map(({ id, tool, text, isError }) => ({
          type: 'tool-result',
          toolCallId: wireId(id),
          toolName: tool,
          output: { type: isError ? 'error-text' : 'text', value: text },
        })),
      };
  }
}

/** Providers accept only objects as arguments, so anything else is wrapped in one. */
function inputOf({ arguments: text }: ToolCall): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Wrapped below.
  }
  return text.trim() === '' ? {} : { unreadable: text };
}
