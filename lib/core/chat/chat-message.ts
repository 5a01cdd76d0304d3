import { z } from 'zod';
import { toolCallSchema } from '#lib/core/agents/agent-records.ts';
import { isJson, showValue } from '#lib/core/text-values.ts';
import { CHAT_ROLES } from './chat-roles.ts';
import { filesOf, isEmptyMessage } from './message-content.ts';

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
    if (role !== 'user' && filesOf([{ content }]).length > 0)
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
