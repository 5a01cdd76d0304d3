import { useState } from 'react';
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

/** Returns a React key for each of `count` rows without ids. `remove` keeps the keys of the other rows. New rows are added at the end. */
export function useRowKeys(count: number): { keys: number[]; remove: (index: number) => void } {
  const [known, setKnown] = useState<readonly number[]>([]);
  const next = Math.max(-1, ...known) + 1;
  const keys = Array.from({ length: count }, (_, index) => known[index] ?? next + index - known.length);
  return { keys, remove: (index) => setKnown(keys.toSpliced(index, 1)) };
}
