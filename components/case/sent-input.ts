import type { ChatMessage } from '#lib/core/chat/chat-message.ts';
import { inputOfMessages, isEmptyMessage } from '#lib/core/chat/message-content.ts';

/** An input that is being edited. `messages` replace the text unless they are null. */
export type TypedInput = { input: string; messages: ChatMessage[] | null };

/** Returns the input to send, without empty messages. */
export function sentInput({ input, messages }: TypedInput): string | ChatMessage[] {
  if (messages === null) return input;
  const sent = messages.filter((message) => !isEmptyMessage(message));
  return sent.length === 0 ? '' : sent;
}

/** Returns an edited input as plain text. */
export function typedText(typed: TypedInput): string {
  const sent = sentInput(typed);
  return typeof sent === 'string' ? sent : inputOfMessages(sent);
}
