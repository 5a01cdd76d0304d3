import { messagesOfPrompt, type PromptMessage, type PromptRole, promptOfMessages } from '#lib/core/chat/chat-prompt.ts';
import { templateVariables } from '#lib/core/prompts/judge-texts.ts';

/** A message while it is edited. `key` tells it from its neighbours. */
export type MessageRow = { key: number } & PromptMessage;

/** The messages of a prompt ready to be edited. */
export function toRows(prompt: string): MessageRow[] {
  return (messagesOfPrompt(prompt) ?? []).map((message, key) => ({ ...message, key }));
}

/** The prompt that the rows make. */
export function fromRows(rows: readonly MessageRow[]): string {
  return promptOfMessages(rows.map(({ key: _, ...message }) => message));
}

/** A plain prompt as messages: a text without the input becomes a system message before a message with the input. */
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

/** The rows with an empty message at the end: of the user, or of the assistant behind one of the user. */
export function withMessage(rows: readonly MessageRow[]): MessageRow[] {
  const last = rows.at(-1);
  const role: PromptRole = last === undefined ? 'system' : last.role === 'user' ? 'assistant' : 'user';
  return [...rows, { key: nextKey(rows), role, text: '' }];
}

/** The rows with the messages of the case: before the last message, which asks. */
export function withHistory(rows: readonly MessageRow[]): MessageRow[] {
  const at = Math.max(
    rows.findLastIndex(({ role }) => role === 'user'),
    0,
  );
  return rows.toSpliced(at, 0, { key: nextKey(rows), role: 'history' });
}

/** The rows with one moved by a place. */
export function withMoved(rows: readonly MessageRow[], place: number, by: -1 | 1): MessageRow[] {
  const row = rows[place];
  return row === undefined ? [...rows] : rows.toSpliced(place, 1).toSpliced(place + by, 0, row);
}
