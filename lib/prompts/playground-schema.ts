import { z } from 'zod';
import { chatMessagesSchema, sentMessagesSchema } from '#lib/core/chat/chat-messages-schema.ts';
import { promptOptionsShape } from '#lib/core/prompt-options.ts';
import { evaluationEventSchema } from './evaluation-schema.ts';
import { MAX_TYPED_CASES } from './prompt.ts';
import { newPromptSetupSchema, promptNameSchema, promptSetupSchema, promptVersionTextSchema } from './schema.ts';

const text = z.string({ error: 'must be a text' }).max(200_000, { error: 'must be at most 200,000 characters' });

const MESSAGES = { description: 'The input as messages, in place of the text.' };

/** Case typed in the playground: values of the prompt's variables, and the reference if a check needs one. */
const typedCaseSchema = z.strictObject({
  input: text.default(''),
  messages: chatMessagesSchema.nullable().default(null).meta(MESSAGES),
  reference: text.nullable().default(null),
  metadata: z.record(z.string().max(100), text).default({}),
});
export type TypedCase = z.infer<typeof typedCaseSchema>;

/** Setup of a playground run: a prompt's setup without the dataset. Without criteria, nothing is scored. */
export const playgroundSetupSchema = promptSetupSchema.omit({ datasetId: true });
export type PlaygroundSetup = z.infer<typeof playgroundSetupSchema>;

export const playgroundInputSchema = z.strictObject({
  prompt: promptNameSchema
    .nullable()
    .default(null)
    .meta({ description: 'The saved prompt that the run belongs to. Null: the prompt is not saved yet.' }),
  text: promptVersionTextSchema,
  ...promptOptionsShape,
  cases: z
    .array(typedCaseSchema.extend({ messages: sentMessagesSchema.nullable().default(null).meta(MESSAGES) }))
    .min(1, { error: 'must contain at least one case' })
    .max(MAX_TYPED_CASES, { error: `must contain at most ${MAX_TYPED_CASES} cases` }),
  setup: newPromptSetupSchema.omit({ datasetId: true }).prefault({}),
});
export type PlaygroundInput = z.infer<typeof playgroundInputSchema>;

const count = z.int().min(0);

/** Saved response of a run. `model` and `case` are indices in the request. */
const answerSchema = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('made'),
    model: count,
    case: count,
    output: z.string().meta({ description: 'At most its first 20,000 characters.' }),
    score: z.number().nullable(),
    satisfactory: z.boolean(),
    criteriaScores: z.record(z.string(), z.number().nullable()),
    detail: z.string(),
    inputTokens: count,
    outputTokens: count,
    costUsd: z.number().nullable(),
    durationMs: count,
  }),
  z.object({ state: z.literal('failed'), model: count, case: count, message: z.string(), remedy: z.string() }),
]);
export type PlaygroundAnswer = z.infer<typeof answerSchema>;

export const playgroundRunSchema = z.object({
  id: z.guid(),
  createdAt: z.iso.datetime(),
  text: z.string(),
  ...promptOptionsShape,
  cases: z.array(typedCaseSchema),
  setup: playgroundSetupSchema,
  answers: z.array(answerSchema),
});
export type PlaygroundRun = z.infer<typeof playgroundRunSchema>;

/** Events of an evaluation, where `position` is the index of the case in the request. The last event contains the saved run. */
export const playgroundEventSchema = z.discriminatedUnion('type', [
  ...evaluationEventSchema.options,
  z.object({ type: z.literal('kept'), run: playgroundRunSchema }),
]);
export type PlaygroundEvent = z.infer<typeof playgroundEventSchema>;
