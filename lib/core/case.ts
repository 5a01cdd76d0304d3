import { z } from 'zod';
import { chatMessagesSchema } from './chat/chat-messages-schema.ts';
import { criterionSchema } from './criterion-schema.ts';
import { areUnique, nameSchema, numberBetween, oneOf } from './setting-parts.ts';

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
    .max(50, { error: 'must contain at most 50 criteria' })
    .refine((criteria) => areUnique(criteria.map(({ name }) => name)), {
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
