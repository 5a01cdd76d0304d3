import type { ChatFile, ChatMessage, ChatPart } from './chat-message.ts';
import { ROLE_LABELS } from './chat-roles.ts';

/** Returns the files of some messages, in order. */
export function filesOf(messages: readonly Pick<ChatMessage, 'content'>[]): ChatFile[] {
  return messages.flatMap(filesIn);
}

function filesIn({ content }: Pick<ChatMessage, 'content'>): ChatFile[] {
  return typeof content === 'string' ? [] : content.filter((part) => part.type === 'file');
}

/** Returns the text of a message without its files. */
export function textOf({ content }: Pick<ChatMessage, 'content'>): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}

/** True if a message has no content. Providers reject such messages. */
export function isEmptyMessage(message: ChatMessage): boolean {
  return textOf(message).trim() === '' && filesIn(message).length === 0 && (message.toolCalls ?? []).length === 0;
}

/** Formats messages as a text for people and models: `User: …`, one paragraph per message. Files appear by name. */
export function transcriptOf(messages: readonly ChatMessage[]): string {
  return messages
    .map((message) => {
      const label =
        message.role === 'tool' && message.tool !== undefined ? `Tool ${message.tool}` : ROLE_LABELS[message.role];
      return `${label}: ${readableText(message)}`.trimEnd();
    })
    .join('\n\n');
}

/** Returns the input of a case in text form: its transcript, or the plain text if it is a single user message. */
export function inputOfMessages(messages: readonly ChatMessage[]): string {
  const [only, ...others] = messages;
  return only?.role === 'user' && others.length === 0 ? readableText(only) : transcriptOf(messages);
}

/** Returns the text of a message with its tool calls. File names replace the files. */
export function readableText({ content, toolCalls = [] }: ChatMessage): string {
  const parts: readonly ChatPart[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const labels = parts.map((part) => (part.type === 'text' ? part.text : fileLabel(part)));
  return [...labels, ...toolCalls.map((call) => `[calls ${call.tool} ${call.arguments}]`)]
    .filter((text) => text !== '')
    .join('\n');
}

/** Returns a label for a file. It contains the start of the id, which distinguishes cases that only differ in their files. */
function fileLabel(file: ChatFile): string {
  const kind = file.mediaType.startsWith('image/') ? 'image' : 'file';
  const name = fileName(file);
  return `[${kind}${name === undefined ? '' : ` ${name}`} ${file.file.slice(0, 8)}]`;
}

/** Returns the name of a file on one line, so that it cannot imitate a message or a line of a prompt. */
export function fileName({ name }: ChatFile): string | undefined {
  return name?.replace(/[\s\p{Cc}]+/gu, ' ');
}
