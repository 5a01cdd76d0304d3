import { z } from 'zod';
import { chatMessagesSchema, sentMessagesSchema } from '#lib/core/chat/chat-message.ts';
import { promptOptionsShape } from '#lib/core/prompt-options.ts';
import { evaluationEventSchema } from './evaluation-schema.ts';
import { newPromptSetupSchema, promptNameSchema, promptSetupSchema, promptVersionTextSchema } from './schema.ts';

/** The most cases that are typed for one run. */
export const MOST_TYPED_CASES = 20;

const text = z.string({ error: 'must be a text' }).max(200_000, { error: 'must be at most 200,000 characters' });

const MESSAGES = { description: 'The input as messages, in place of the text.' };

/** A case as it is typed in the playground: what the prompt's variables stand for, and the right answer where checks need one. */
const typedCaseSchema = z.strictObject({
  input: text.default(''),
  messages: chatMessagesSchema.nullable().default(null).meta(MESSAGES),
  reference: text.nullable().default(null),
  metadata: z.record(z.string().max(100), text).default({}),
});
export type TypedCase = z.infer<typeof typedCaseSchema>;

/** What a text is run with in the playground: as a prompt's setup, without a dataset. Criteria may be left out: then nothing is scored. */
export const playgroundSetupSchema = promptSetupSchema.omit({ datasetId: true });
export type PlaygroundSetup = z.infer<typeof playgroundSetupSchema>;

/** A run of the playground as it is asked for. */
export const playgroundInputSchema = z.strictObject({
  prompt: promptNameSchema
    .nullable()
    .default(null)
    .meta({ description: 'The saved prompt that the run belongs to. Null: the prompt is not saved yet.' }),
  text: promptVersionTextSchema,
  ...promptOptionsShape,
  cases: z
    .array(typedCaseSchema.extend({ messages: sentMessagesSchema.nullable().default(null).meta(MESSAGES) }))
    .min(1, { error: 'must hold at least one case' })
    .max(MOST_TYPED_CASES, { error: `must hold at most ${MOST_TYPED_CASES} cases` }),
  setup: newPromptSetupSchema.omit({ datasetId: true }).prefault({}),
});
export type PlaygroundInput = z.infer<typeof playgroundInputSchema>;

const count = z.int().min(0);

/** An answer of a run that is kept: `model` and `case` are places in the request. */
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

/** A run of the playground that is kept. */
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

/** The events of an evaluation, `position` being the place of the case in the request; last the run as it is kept. */
export const playgroundEventSchema = z.discriminatedUnion('type', [
  ...evaluationEventSchema.options,
  z.object({ type: z.literal('kept'), run: playgroundRunSchema }),
]);
export type PlaygroundEvent = z.infer<typeof playgroundEventSchema>;
