import { z } from 'zod';
import { cleanText } from '#lib/database/clean-text.ts';
import { component } from '#lib/http/define-route.ts';
import { page } from '#lib/http/fields.ts';
import { pagedByTimeAndName } from '#lib/http/read-query.ts';
import { promptDetailSchema, promptListItemSchema } from '#lib/prompts/prompt-record.ts';

export const leaveDraftQuery = z.strictObject({
  since: z.iso
    .datetime({ error: 'must be the moment at which the draft was last kept' })
    .meta({ description: 'When the draft was last kept: one that was changed since stays.' }),
});

export const leftDraftSchema = component('LeftDraft', z.object({ left: z.boolean() }));

export const promptsQuery = z.strictObject({
  ...pagedByTimeAndName,
  search: z
    .string({ error: 'must be given once' })
    .max(200, { error: 'must be at most 200 characters' })
    .transform(cleanText)
    .optional()
    .meta({ description: 'A part of the name.' }),
});

export const promptsSchema = component('Prompts', page(component('PromptListItem', promptListItemSchema)));

export const savedPromptSchema = component('SavedPrompt', z.object({ name: z.string(), version: z.int().min(1) }));

const VERSION = 'must be the number of a version, from 1';

export const promptTextQuery = z.strictObject({
  label: z.string({ error: 'must be given once' }).transform(cleanText).optional().meta({
    description: 'The version that has this label, such as production; without label and version the newest.',
  }),
  version: z
    .string({ error: 'must be given once' })
    .regex(/^[1-9]\d{0,6}$/, { error: VERSION })
    .meta({ type: 'integer', minimum: 1 })
    .transform(Number)
    .optional(),
});

export const changedPromptSchema = component('ChangedPrompt', promptDetailSchema.pick({ name: true, setup: true }));
