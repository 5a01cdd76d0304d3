import { z } from 'zod';
import { mustBe } from '../setting-parts.ts';
import { isJson } from '../text-values.ts';
import { chatMessageSchema } from './chat-message.ts';
import { filesOf, isEmptyMessage } from './message-content.ts';

/** Limits of a case: messages, and files in all messages together. */
export const MAX_MESSAGES = 200;
export const MAX_CHAT_FILES = 20;

/** The messages of a case, oldest first. */
export const chatMessagesSchema = z
  .array(chatMessageSchema, { error: mustBe('a list of messages') })
  .min(1, { error: 'must contain at least one message' })
  .max(MAX_MESSAGES, { error: `must contain at most ${MAX_MESSAGES} messages` })
  .refine((messages) => filesOf(messages).length <= MAX_CHAT_FILES, {
    error: `must contain at most ${MAX_CHAT_FILES} files`,
  })
  .refine((messages) => messages.some((message) => !isEmptyMessage(message)), {
    error: 'must contain at least one message that is not empty',
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
