import { z } from 'zod';
import { LESSON_KINDS, LESSON_LENGTH, LESSON_STATUSES, LESSON_VERDICTS } from '#lib/core/lesson-schema.ts';
import { integerBetween, nameSchema, numberBetween, oneOf, taskTypeSchema } from '#lib/core/setting-parts.ts';

/**
 * Generator instructions of an experiment, before and after a rule or procedure is added. `version` is the settings version that contains
 * them. `addedVersion` is the new settings version, or null for a preview.
 */
export const ruleProposalSchema = z.object({
  experimentId: z.string(),
  name: z.string(),
  version: z.int(),
  before: z.string(),
  after: z.string(),
  addedVersion: z.int().nullable(),
});
export type RuleProposal = z.infer<typeof ruleProposalSchema>;

/** Lessons that a run would recall for an input. */
export const triedRecallSchema = z.object({
  lessons: z.array(
    z.object({
      id: z.guid(),
      kind: z.enum(LESSON_KINDS),
      text: z.string(),
      rank: z.int().min(1),
      score: z.number().min(0).max(1).meta({ description: 'How well it matches, from 0 to 1.' }),
    }),
  ),
  tokens: z.int().min(0).meta({ description: 'Estimated tokens of the lessons in the prompt.' }),
  promptPart: z.string().meta({ description: 'The exact text that is added to a prompt. Empty if no lesson matches.' }),
});
export type TriedRecall = z.infer<typeof triedRecallSchema>;

const MAX_TOOLS = 50;
/** Maximum length of a reason and of a comment, in characters. */
const REASON_LENGTH = 2_000;
const COMMENT_LENGTH = 10_000;

const textSchema = z.string().trim().max(LESSON_LENGTH);
const fieldsSchema = z.record(z.string().max(120), textSchema);
const toolsSchema = z.array(nameSchema).max(MAX_TOOLS);

/** A lesson added by a person or program. Kinds with a form take `fields`, the others `text`. */
export const lessonInputSchema = z.strictObject({
  kind: oneOf(LESSON_KINDS),
  text: textSchema.default(''),
  fields: fieldsSchema.default({}).meta({ description: 'Fields of the kind, by name. The text is built from them.' }),
  block: nameSchema.default('reflexion_lessons'),
  scope: z
    .strictObject({
      agent: nameSchema.nullable().default(null),
      taskType: taskTypeSchema.nullable().default(null),
      tools: toolsSchema.default([]),
    })
    .prefault({})
    .meta({ description: 'Null: applies to all.' }),
  source: z
    .strictObject({
      runId: z.guid({ error: 'must be the id of a run' }).toLowerCase().nullable().default(null),
      iteration: integerBetween(0, 1_000_000).nullable().default(null),
      input: z
        .string()
        .max(100_000)
        .default('')
        .meta({ description: 'The input that the lesson was learned from. The first 200 characters are kept.' }),
      score: numberBetween(0, 1).nullable().default(null),
    })
    .prefault({})
    .meta({ description: 'What it was learned from.' }),
});

/** A change of a lesson. Omitted parts stay unchanged. `editCount` is its number of edits when it was read. */
export const lessonEditSchema = z.strictObject({
  editCount: integerBetween(0, 1_000_000).meta({
    description: 'Number of edits when you read the lesson. If it has more now, the response is 409.',
  }),
  text: textSchema.optional(),
  fields: fieldsSchema.optional().meta({ description: 'Fields to change. An empty text clears an optional field.' }),
  scope: z
    .strictObject({
      agent: nameSchema.nullable().optional(),
      taskType: taskTypeSchema.nullable().optional(),
      tools: toolsSchema.optional(),
    })
    .optional(),
  reason: z.string().trim().max(REASON_LENGTH).default(''),
});

export const lessonReviewSchema = z.strictObject({
  verdict: oneOf(LESSON_VERDICTS).meta({
    description: '`archive` takes the lesson out of use. `restore` returns a rejected or archived lesson to review.',
  }),
  reason: z
    .string()
    .trim()
    .max(REASON_LENGTH)
    .default('')
    .meta({ description: 'Required to reject, to archive, and to promote what the screening held.' }),
  seen: oneOf(LESSON_STATUSES)
    .nullable()
    .default(null)
    .meta({ description: 'The status it had when you read it: 409 if it has another one now.' }),
  editCount: integerBetween(0, 1_000_000).nullable().default(null).meta({
    description:
      'How many edits it had when you read it: 409 if it has more now. Required to promote, reject and archive.',
  }),
  objectionsSeen: integerBetween(0, 1_000_000).default(0).meta({
    description:
      'How many votes against it you have read. A promotion waits for your confirmation while there are more.',
  }),
});

export const lessonCommentSchema = z.strictObject({ text: z.string().trim().min(1).max(COMMENT_LENGTH) });
