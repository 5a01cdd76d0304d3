import { z } from 'zod';
import { toolCallSchema } from '#lib/core/agents/agent-records.ts';
import { mustBe, oneOf } from '#lib/core/setting-parts.ts';
import { CHAT_ROLES } from './chat-roles.ts';

/** Estimated tokens of an image or a document. Real ones cost between about 100 and 2,000, more for long documents. */
export const TOKENS_OF_FILE = 1_000;
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
  { error: mustBe('a text or file part') },
);
export type ChatPart = z.infer<typeof chatPartSchema>;

/** One message of a conversation. */
export const chatMessageSchema = z
  .strictObject(
    {
      role: oneOf(CHAT_ROLES),
      content: z.union([textSchema, z.array(chatPartSchema).min(1, { error: 'must contain at least one part' })], {
        error: mustBe('a text or a list of parts'),
      }),
      toolCalls: z
        .array(toolCallSchema)
        .max(50, { error: 'must contain at most 50 calls' })
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
    { error: mustBe('a message with a role and content') },
  )
  .superRefine(({ role, content, toolCalls, tool, toolCallId }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (role !== 'user' && typeof content !== 'string' && content.some(({ type }) => type === 'file'))
      refuse('content', `must be text in a message of the ${role}`);
    if (role !== 'assistant' && toolCalls !== undefined) refuse('toolCalls', 'is only for messages of the assistant');
    if (role !== 'tool' && (tool !== undefined || toolCallId !== undefined))
      refuse(tool === undefined ? 'toolCallId' : 'tool', 'is only for messages of a tool');
  });
export type ChatMessage = z.infer<typeof chatMessageSchema>;
