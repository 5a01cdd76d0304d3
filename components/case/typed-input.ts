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

const PASSED_INPUT_KEY = 'hone:passed-input';

/** Stores an input in session storage for the form that opens next for this target. It may be too long for a URL. */
export function passInput(target: string, input: string): void {
  sessionStorage.setItem(PASSED_INPUT_KEY, JSON.stringify([target, input]));
}

/** Returns the input that was passed to this form, once. Null if it was passed for another target. A form without a target gets none. */
export function takePassedInput(target: string | null): string | null {
  const passed = sessionStorage.getItem(PASSED_INPUT_KEY);
  sessionStorage.removeItem(PASSED_INPUT_KEY);
  if (passed === null) return null;
  const [passedFor, input] = JSON.parse(passed) as [string, string];
  return passedFor === target ? input : null;
}
