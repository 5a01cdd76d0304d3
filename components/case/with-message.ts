import type { ChatMessage } from '#lib/core/chat/chat-message.ts';

/** Replaces one message. Renames the tool in the results of renamed calls, up to another call with the same id. */
export function withMessage(messages: readonly ChatMessage[], index: number, changed: ChatMessage): ChatMessage[] {
  const before = messages[index]?.toolCalls ?? [];
  const renamed = new Map(
    (changed.toolCalls ?? []).flatMap(({ id, tool }, at) => {
      const old = before[at];
      return old?.id === id && old.tool !== tool ? [[id, { from: old.tool, to: tool }] as const] : [];
    }),
  );
  return messages.map((message, at) => {
    if (at === index) return changed;
    if (at < index) return message;
    for (const { id } of message.toolCalls ?? []) renamed.delete(id);
    const name = renamed.get(message.toolCallId ?? '');
    return name !== undefined && (message.tool ?? '') === name.from ? { ...message, tool: name.to } : message;
  });
}
