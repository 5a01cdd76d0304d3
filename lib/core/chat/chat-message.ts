import { z } from 'zod';
import { toolCallSchema } from '#lib/core/agents/agent-records.ts';
import { isJson, showValue } from '#lib/core/text-values.ts';
import { CHAT_ROLES, ROLE_LABELS } from './chat-roles.ts';

/** Limits of a case: messages, and files in all messages together. */
export const MAX_MESSAGES = 200;
export const MAX_CHAT_FILES = 20;
/** Estimated tokens of an image or a document. Real ones cost between about 100 and 2,000, more for long documents. */
export const TOKENS_OF_FILE = 1_000;
/** Maximum characters of one text. */
const MAX_TEXT_LENGTH = 1_000_000;

const textSchema = z
  .string({ error: 'must be a text' })
  .max(MAX_TEXT_LENGTH, { error: `must have at most ${MAX_TEXT_LENGTH.toLocaleString('en-US')} characters` });

/** A stored file. `file` is the SHA-256 of its bytes in hexadecimal digits. Images are files with an image media type. */
export const chatFileSchema = z.strictObject({
  type: z.literal('file'),
  file: z
    .string({ error: 'must be the id of a stored file' })
    .regex(/^[0-9a-f]{64}$/, { error: 'must be the id of a stored file: 64 hexadecimal digits' }),
  mediaType: z.string().regex(/^[a-z]+\/[\w.+-]{1,100}$/, { error: 'must be a media type such as image/png' }),
  name: z.string().max(200, { error: 'must have at most 200 characters' }).optional(),
});
export type ChatFile = z.infer<typeof chatFileSchema>;

const chatPartSchema = z.discriminatedUnion(
  'type',
  [z.strictObject({ type: z.literal('text'), text: textSchema }), chatFileSchema],
  { error: (issue) => `must be a text or file part, got ${showValue(issue.input)}` },
);
export type ChatPart = z.infer<typeof chatPartSchema>;

/** One message of a conversation. */
export const chatMessageSchema = z
  .strictObject(
    {
      role: z.enum(CHAT_ROLES, {
        error: (issue) => `must be one of ${CHAT_ROLES.join(', ')}, got ${showValue(issue.input)}`,
      }),
      content: z.union([textSchema, z.array(chatPartSchema).min(1, { error: 'must hold at least one part' })], {
        error: (issue) => `must be a text or a list of parts, got ${showValue(issue.input)}`,
      }),
      toolCalls: z
        .array(toolCallSchema)
        .max(50, { error: 'must hold at most 50 calls' })
        .optional()
        .meta({ description: 'Of an assistant message: the tools it called.' }),
      tool: z
        .string()
        .max(200, { error: 'must have at most 200 characters' })
        .optional()
        .meta({ description: 'Of a tool message: the tool whose result it is.' }),
      toolCallId: z
        .string()
        .max(200, { error: 'must have at most 200 characters' })
        .optional()
        .meta({ description: 'Of a tool message: the call whose result it is.' }),
    },
    { error: (issue) => `must be a message with a role and content, got ${showValue(issue.input)}` },
  )
  .superRefine(({ role, content, toolCalls, tool, toolCallId }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (role !== 'user' && filesIn({ content }).length > 0)
      refuse('content', `must be text in a message of the ${role}`);
    if (role !== 'assistant' && toolCalls !== undefined) refuse('toolCalls', 'is only for messages of the assistant');
    if (role !== 'tool' && (tool !== undefined || toolCallId !== undefined))
      refuse(tool === undefined ? 'toolCallId' : 'tool', 'is only for messages of a tool');
  });
export type ChatMessage = z.infer<typeof chatMessageSchema>;

/** The messages of a case, oldest first. */
export const chatMessagesSchema = z
  .array(chatMessageSchema, { error: (issue) => `must be a list of messages, got ${showValue(issue.input)}` })
  .min(1, { error: 'must hold at least one message' })
  .max(MAX_MESSAGES, { error: `must hold at most ${MAX_MESSAGES} messages` })
  .refine((messages) => filesOf(messages).length <= MAX_CHAT_FILES, {
    error: `must hold at most ${MAX_CHAT_FILES} files`,
  })
  .refine((messages) => messages.some((message) => !isEmptyMessage(message)), {
    error: 'must hold at least one message that is not empty',
  });

/** Messages sent to a model for a case. Tool calls need a name and JSON arguments, which recorded messages may lack. */
export const sentMessagesSchema = chatMessagesSchema.superRefine((messages, context) => {
  for (const [index, { toolCalls = [] }] of messages.entries())
    for (const [at, call] of toolCalls.entries()) {
      const refuse = (field: 'tool' | 'arguments', message: string) =>
        context.addIssue({ code: 'custom', path: [index, 'toolCalls', at, field], message });
      if (call.tool.trim() === '') refuse('tool', 'must not be empty');
      if (!isJson(call.arguments)) refuse('arguments', 'must be JSON');
    }
});

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
