import type { Case } from '#lib/core/case.ts';
import { templateVariables } from '#lib/core/prompts/judge-texts.ts';
import { renderTemplate } from '#lib/core/prompts/render-template.ts';
import type { ChatMessage } from './chat-message.ts';
import { messagesOfPrompt, type PromptMessage } from './chat-prompt.ts';
import { filesOf, isEmptyMessage } from './message-content.ts';

/**
 * Returns the messages that a prompt sends for a case, or null without a written prompt and messages of the case. For a chat prompt, these
 * are its messages with variables filled in and the messages of the case. A plain prompt with a variable becomes the user message. Without
 * one, it becomes the system message, followed by the case.
 */
export function chatMessages(prompt: string | null, task: Case): ChatMessage[] | null {
  const sent = isWrittenPrompt(prompt)
    ? withCase(messagesOfPrompt(prompt) ?? [plainMessage(prompt, task)], task)
    : (task.messages ?? null);
  if (sent === null) return null;
  return withQuestion(
    sent.filter((message) => !isEmptyMessage(message)),
    task,
  );
}

/** False without a prompt, or if the prompt is only `{{input}}`, which is the built-in one. */
export function isWrittenPrompt(prompt: string | null): prompt is string {
  return prompt !== null && prompt.trim() !== '' && !isOnlyInput(prompt);
}

function plainMessage(text: string, { input, messages }: Case): PromptMessage {
  const isEmpty = input.trim() === '' && !messages;
  return { role: isEmpty || templateVariables(text).some(({ known }) => known) ? 'user' : 'system', text };
}

/** Providers reject requests with only system messages, so the case is added as a user message. */
function withQuestion(messages: ChatMessage[], task: Case): ChatMessage[] {
  if (messages.some(({ role }) => role !== 'system')) return messages;
  return [...messages, { role: 'user', content: task.input }];
}

/**
 * Inserts the case into a chat prompt: at `{{history}}`, else in place of a user message that is only `{{input}}`, else after its messages.
 * It is not added if a prompt with user or assistant messages fills in the input elsewhere. A text input counts as one user message, and is
 * only added if the prompt has no input and would not end in a question.
 */
function withCase(prompt: PromptMessage[], task: Case): ChatMessage[] {
  const caseMessages = task.messages ?? null;
  const asText: ChatMessage = { role: 'user', content: task.input };
  const hasInput = prompt.some(isWithInput);
  const filled = (message: PromptMessage): ChatMessage[] =>
    message.role === 'history'
      ? (caseMessages ?? (hasInput ? [] : [asText]))
      : [{ role: message.role, content: renderTemplate(message.text, task) }];
  const isPlaced = prompt.some(({ role }) => role === 'history');
  if (isPlaced) return prompt.flatMap(filled);
  if (caseMessages === null) {
    const messages = prompt.flatMap(filled);
    return asksInput(prompt) || messages.at(-1)?.role === 'user' ? messages : [...messages, asText];
  }
  const at = prompt.findLastIndex((message) => message.role === 'user' && isOnlyInput(message.text));
  if (at >= 0) return prompt.flatMap((message, index) => (index === at ? caseMessages : filled(message)));
  const messages = prompt.flatMap(filled);
  return asksInput(prompt) ? withFiles(messages, caseMessages) : [...messages, ...caseMessages];
}

/** Adds the files of the case to the last user message, because its text is already in the prompt. */
function withFiles(messages: ChatMessage[], caseMessages: readonly ChatMessage[]): ChatMessage[] {
  const files = filesOf(caseMessages);
  if (files.length === 0) return messages;
  const last = messages.findLastIndex(({ role }) => role === 'user');
  if (last < 0) return [...messages, { role: 'user', content: files }];
  return messages.map((message, index) =>
    index === last && typeof message.content === 'string'
      ? { ...message, content: [{ type: 'text', text: message.content }, ...files] }
      : message,
  );
}

function isOnlyInput(text: string): boolean {
  return /^\s*\{\{\s*input\s*\}\}\s*$/.test(text);
}

/** True if a chat prompt without `{{history}}` contains the input as a question: filled in, and not only in system messages. */
export function asksInput(prompt: readonly PromptMessage[]): boolean {
  return prompt.some(isWithInput) && prompt.some(({ role }) => role !== 'system');
}

function isWithInput(message: PromptMessage): boolean {
  return message.role !== 'history' && usesInput(message.text);
}

/** True if a text contains `{{input}}` or a field of it. */
export function usesInput(text: string): boolean {
  return templateVariables(text).some(({ name, known }) => known && (name === 'input' || name.startsWith('input.')));
}
