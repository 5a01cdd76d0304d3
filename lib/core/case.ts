import { z } from 'zod';
import { isJson, showValue } from '#lib/core/text-values.ts';
import { chatMessageSchema } from './chat/chat-message.ts';
import { filesOf, isEmptyMessage } from './chat/message-content.ts';
import { criterionSchema } from './criterion-schema.ts';
import { nameSchema, numberBetween, oneOf } from './setting-parts.ts';

/** Limits of a case: messages, and files in all messages together. */
export const MAX_MESSAGES = 200;
export const MAX_CHAT_FILES = 20;

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

const changeSchema = z.strictObject({
  enabled: z.boolean({ error: 'must be true or false' }).optional(),
  threshold: numberBetween(0, 1).nullable().optional(),
  weight: numberBetween(0, 100).optional(),
});

/**
 * Changes to an experiment's scoring for one case.
 * `others`: turns the experiment's criteria that are not listed here on or off.
 * `change`: by name of an experiment's criterion, turns it on or off and sets its threshold and weight.
 * `add`: additional criteria of the case. One with the name of an experiment's criterion replaces it.
 * `qualityThreshold`: null to use the experiment's.
 */
export const caseCriteriaSchema = z.strictObject({
  others: oneOf(['on', 'off']).default('on'),
  change: z
    .record(nameSchema, changeSchema)
    .refine((change) => Object.keys(change).length <= 50, { error: 'must name at most 50 criteria' })
    .default({}),
  add: z
    .array(criterionSchema, { error: 'must be a list of criteria' })
    .max(50, { error: 'must hold at most 50 criteria' })
    .refine((criteria) => new Set(criteria.map(({ name }) => name)).size === criteria.length, {
      error: 'must not contain two criteria with the same name',
    })
    .default([]),
  qualityThreshold: numberBetween(0, 1).nullable().default(null),
});
export type CaseCriteria = z.infer<typeof caseCriteriaSchema>;
export type CaseCriteriaInput = z.input<typeof caseCriteriaSchema>;

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
