import { z } from 'zod';
import { caseCriteriaSchema } from './case-criteria-schema.ts';
import { chatMessagesSchema } from './chat/chat-messages-schema.ts';

/**
 * Input of a run, and what people know about the right answer. `messages`: the conversation, if the input is one. `input` is then its text
 * form. `criteria`: changes to the experiment's scoring, none if null or omitted.
 */
export const caseSchema = z.object({
  input: z.string(),
  messages: chatMessagesSchema.nullish().meta({ description: 'The input as messages, if it is a conversation.' }),
  reference: z.string().nullable(),
  tags: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
  criteria: caseCriteriaSchema.nullish(),
});
export type Case = z.infer<typeof caseSchema>;
