import { z } from 'zod';
import {
  LESSON_ADMISSIONS,
  LESSON_VERDICTS,
  type LessonDetail,
  type LessonListItem,
} from '#lib/core/lesson-library.ts';
import { LESSON_KINDS, LESSON_LENGTH, LESSON_STATUSES } from '#lib/core/lesson-schema.ts';
import { integerBetween, nameSchema, numberBetween, oneOf, taskTypeSchema } from '#lib/core/setting-parts.ts';

/* Schemas of the types in lesson-library.ts for API clients: `GET /lessons` and `GET /lessons/{id}`. */

const status = z.enum(LESSON_STATUSES);
const kind = z.enum(LESSON_KINDS);
const fields = z.record(z.string(), z.string());
const scope = z.object({ agent: z.string().nullable(), taskType: z.string().nullable(), tools: z.array(z.string()) });
const score = z.number().nullable();
const source = z.object({
  runId: z.string().nullable(),
  version: z.int().nullable(),
  iteration: z.int().nullable(),
  input: z.string(),
  score,
});
const state = z.object({ text: z.string(), fields, scope });
const finding = z.object({ family: z.string(), rule: z.string(), matched: z.string() });

const item = z.object({
  id: z.string(),
  kind,
  status,
  admission: z.enum(LESSON_ADMISSIONS),
  text: z.string(),
  fields,
  scope,
  block: z.string(),
  source,
  createdBy: z.string(),
  createdAt: z.string(),
  mergedIntoId: z.string().nullable(),
  used: z.int(),
  helpful: z.int(),
  harmful: z.int(),
  neutral: z.int(),
  lastUsedAt: z.string().nullable(),
  isRefuted: z.boolean(),
  reviewedBy: z.string().nullable(),
  reviewedAt: z.string().nullable(),
  archiveYear: z.int().nullable().meta({ description: 'Of an archived lesson: the year it was written in, UTC.' }),
});

const checked = { number: z.int(), edit: z.int(), createdAt: z.string() };
/** Recorded step of a lesson's admission to the library. */
export const lessonCheckSchema = z.discriminatedUnion('kind', [
  z.object({
    ...checked,
    kind: z.literal('redact'),
    outcome: z.enum(['clear', 'redacted']),
    found: z.array(z.object({ kind: z.string(), count: z.int() })),
  }),
  z.object({
    ...checked,
    kind: z.literal('screen'),
    outcome: z.enum(['clear', 'held']),
    findings: z.array(finding),
  }),
  z.object({
    ...checked,
    kind: z.literal('model'),
    outcome: z.enum(['clear', 'held']),
    model: z.string(),
    reason: z.string(),
  }),
  z.object({
    ...checked,
    kind: z.literal('merge'),
    outcome: z.enum(['none', 'merged']),
    into: z.object({ lessonId: z.string(), status, likeness: z.number() }).nullable(),
  }),
  z.object({ ...checked, kind: z.literal('quarantine'), outcome: z.literal('waiting') }),
  z.object({ ...checked, kind: z.literal('retention'), outcome: z.literal('archived'), keep: z.int() }),
]);

const origin = z.object({
  runId: z.string(),
  runNumber: z.int(),
  experimentId: z.string(),
  experimentName: z.string(),
  version: z.int().nullable(),
  iteration: z.int().nullable(),
  input: z.string(),
  output: z.string().nullable(),
  score,
  issues: z.array(z.object({ text: z.string(), criterion: z.string().nullable() })),
  reasons: z.record(z.string(), z.string()),
  feedback: z.string().nullable(),
});

const recall = z.object({
  runId: z.string(),
  runNumber: z.int(),
  experimentId: z.string(),
  experimentName: z.string(),
  input: z.string(),
  version: z.int(),
  rank: z.int(),
  score,
  effect: z.enum(['helpful', 'harmful', 'neutral']).nullable(),
  scoreBefore: score,
  scoreAfter: score,
  isOwnRun: z.boolean(),
  createdAt: z.string(),
});

const brief = z.object({
  id: z.string(),
  kind,
  status,
  text: z.string(),
  createdBy: z.string(),
  createdAt: z.string(),
  source,
});

/** Lesson in a list. */
export const lessonListItemSchema: z.ZodType<LessonListItem> = item;

/** Lesson with all details. */
export const lessonDetailSchema: z.ZodType<LessonDetail> = item.extend({
  editCount: z.int(),
  findings: z.array(finding),
  edits: z.array(
    z.object({
      number: z.int(),
      before: state,
      after: state,
      actor: z.string(),
      reason: z.string().nullable(),
      createdAt: z.string(),
    }),
  ),
  checks: z.array(lessonCheckSchema),
  origin: origin.nullable(),
  recalls: z.array(recall),
  merged: z.array(brief),
  mergedInto: brief.nullable(),
  reviews: z.array(
    z.object({
      number: z.int(),
      verdict: z.enum(LESSON_VERDICTS),
      reason: z.string(),
      actor: z.string(),
      createdAt: z.string(),
    }),
  ),
  comments: z.array(z.object({ id: z.string(), actor: z.string(), text: z.string(), createdAt: z.string() })),
  trials: z.array(
    z.object({
      id: z.string(),
      experimentId: z.string(),
      batchWithoutId: z.string(),
      batchWithId: z.string(),
      requestedBy: z.string(),
      createdAt: z.string(),
    }),
  ),
});

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
