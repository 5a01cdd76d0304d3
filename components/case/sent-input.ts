import { type ChatMessage, inputOfMessages, isEmptyMessage } from '#lib/core/chat/chat-message.ts';

/** An input while it is typed. `messages` are used instead of the text if they are not null. */
export type TypedInput = { input: string; messages: ChatMessage[] | null };

/** A typed input as a case takes it, without empty messages. */
export function sentInput({ input, messages }: TypedInput): string | ChatMessage[] {
  const sent = messages?.filter((message) => !isEmptyMessage(message)) ?? [];
  if (messages === null) return input;
  return sent.length === 0 ? '' : sent;
}

/** A typed input as a text that people can read. */
export function typedText(typed: TypedInput): string {
  const sent = sentInput(typed);
  return typeof sent === 'string' ? sent : inputOfMessages(sent);
}
