import { messagesOfPrompt, type PromptMessage, type PromptRole, promptOfMessages } from '#lib/core/chat/chat-prompt.ts';
import { templateVariables } from '#lib/core/prompts/judge-texts.ts';

/** Message in the editor. `key`: unique within the list. */
export type MessageRow = { key: number } & PromptMessage;

/** Converts the messages of a prompt to rows. */
export function toRows(prompt: string): MessageRow[] {
  return (messagesOfPrompt(prompt) ?? []).map((message, key) => ({ ...message, key }));
}

/** Converts rows to a prompt. */
export function fromRows(rows: readonly MessageRow[]): string {
  return promptOfMessages(rows.map(({ key: _, ...message }) => message));
}

/** Converts a plain prompt to messages. Text without the input becomes a system message, followed by a message with the input. */
export function asMessages(prompt: string): string {
  const text = prompt.trim();
  const isAsked = templateVariables(text).some(({ name }) => name === 'input' || name.startsWith('input.'));
  if (isAsked) return promptOfMessages([{ role: 'user', text }]);
  const question = { role: 'user' as const, text: '{{input}}' };
  return promptOfMessages(text === '' ? [question] : [{ role: 'system', text }, question]);
}

function nextKey(rows: readonly MessageRow[]): number {
  return Math.max(-1, ...rows.map(({ key }) => key)) + 1;
}

/** Appends an empty message: an assistant message after a user message, otherwise a user message. The first one is a system message. */
export function withMessage(rows: readonly MessageRow[]): MessageRow[] {
  const last = rows.at(-1);
  const role: PromptRole = last === undefined ? 'system' : last.role === 'user' ? 'assistant' : 'user';
  return [...rows, { key: nextKey(rows), role, text: '' }];
}

/** Inserts the messages of the case before the last message, which contains the question. */
export function withHistory(rows: readonly MessageRow[]): MessageRow[] {
  const at = Math.max(
    rows.findLastIndex(({ role }) => role === 'user'),
    0,
  );
  return rows.toSpliced(at, 0, { key: nextKey(rows), role: 'history' });
}

/** Returns the rows with one row moved by one position. */
export function withMoved(rows: readonly MessageRow[], index: number, by: -1 | 1): MessageRow[] {
  const row = rows[index];
  return row === undefined ? [...rows] : rows.toSpliced(index, 1).toSpliced(index + by, 0, row);
}
