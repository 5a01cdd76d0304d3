import { z } from 'zod';
import { LESSON_ADMISSIONS, LESSON_KINDS, LESSON_STATUSES, LESSON_VERDICTS, RECALL_EFFECTS } from './lesson-schema.ts';

const status = z.enum(LESSON_STATUSES);
const score = z.number().nullable();
const at = z.string();

/** Scope of a lesson. Null means all agents or any task type. Empty `tools` means no particular tool. */
const scope = z.object({ agent: z.string().nullable(), taskType: z.string().nullable(), tools: z.array(z.string()) });
export type LessonScope = z.infer<typeof scope>;

/**
 * Source of a lesson. All fields are empty if a person wrote it. `input` is the start of the case's input, at most 200 characters.
 * `iteration` is also null if the run was deleted.
 */
const source = z.object({
  runId: z.string().nullable(),
  version: z.int().nullable(),
  iteration: z.int().nullable(),
  input: z.string(),
  score,
});
export type LessonSource = z.infer<typeof source>;

/** Form of a lesson by field name (`LESSON_FIELDS`). Empty for kinds with only a text. */
const fields = z.record(z.string(), z.string());
export type LessonFields = z.infer<typeof fields>;

/** Lesson in a list. */
export const lessonListItemSchema = z.object({
  id: z.string(),
  kind: z.enum(LESSON_KINDS),
  status,
  admission: z.enum(LESSON_ADMISSIONS),
  text: z.string(),
  fields,
  scope,
  /** The named block whose prompts may contain it. */
  block: z.string(),
  source,
  /** `provider/model` of its author, a person's name, or `import`. */
  createdBy: z.string(),
  createdAt: at,
  /** The lesson with the same content that replaces this one. */
  mergedIntoId: z.string().nullable(),
  /** Number of prompts that contained it. 1,000 means that many or more. */
  used: z.int(),
  /** Number of uses by effect, as far as it is known. */
  helpful: z.int(),
  harmful: z.int(),
  neutral: z.int(),
  lastUsedAt: at.nullable(),
  /** True for a promoted lesson that was harmful at least twice and more often than helpful. It is proposed for retirement. */
  isRefuted: z.boolean(),
  reviewedBy: z.string().nullable(),
  reviewedAt: at.nullable(),
  /** Null if not archived. */
  archiveYear: z.int().nullable().meta({ description: 'Of an archived lesson: the year it was written in, UTC.' }),
});
export type LessonListItem = z.infer<typeof lessonListItemSchema>;

const brief = lessonListItemSchema.pick({
  id: true,
  kind: true,
  status: true,
  text: true,
  createdBy: true,
  createdAt: true,
  source: true,
});
export type LessonBrief = z.infer<typeof brief>;

const state = z.object({ text: z.string(), fields, scope });
export type LessonState = z.infer<typeof state>;

/** A change by a person. Numbers start at 0. */
const edit = z.object({
  number: z.int(),
  before: state,
  after: state,
  actor: z.string(),
  reason: z.string().nullable(),
  createdAt: at,
});
export type LessonEdit = z.infer<typeof edit>;

/** Number of redactions of one kind that a scan made before storage. */
const redactionCount = z.object({ kind: z.string(), count: z.int() });
export type RedactionCount = z.infer<typeof redactionCount>;

/** A finding of the screening, with the text that matched. */
const finding = z.object({ family: z.string(), rule: z.string(), matched: z.string() });
export type ScreeningFinding = z.infer<typeof finding>;

/** Result of the model check of a new lesson. `model`: provider and name. `reason`: the model's, or why there is no answer. */
const modelCheck = z.object({ outcome: z.enum(['clear', 'held']), model: z.string(), reason: z.string() });
export type ModelCheck = z.infer<typeof modelCheck>;

const checked = { number: z.int(), edit: z.int(), createdAt: at };
/**
 * One check of a lesson, in chronological order. `edit` is the number of edits of the checked text. An edited text is redacted and screened
 * again. After a merge there are no further checks.
 */
export const lessonCheckSchema = z.discriminatedUnion('kind', [
  z.object({
    ...checked,
    kind: z.literal('redact'),
    outcome: z.enum(['clear', 'redacted']),
    found: z.array(redactionCount),
  }),
  z.object({
    ...checked,
    kind: z.literal('screen'),
    outcome: z.enum(['clear', 'held']),
    findings: z.array(finding),
  }),
  /** Check by a model of the experiment's choice when the lesson was written. Also held if the answer could not be parsed. */
  z.object({ ...checked, kind: z.literal('model'), ...modelCheck.shape }),
  z.object({
    ...checked,
    kind: z.literal('merge'),
    outcome: z.enum(['none', 'merged']),
    /**
     * If `merged`, the lesson that was kept, otherwise a lesson that may say the opposite, with the similarity to it (0 to 1). Null if
     * there is none. `status`: its status at that time.
     */
    into: z.object({ lessonId: z.string(), status, likeness: z.number() }).nullable(),
  }),
  z.object({ ...checked, kind: z.literal('quarantine'), outcome: z.literal('waiting') }),
  /** Archived because its agent has enough newer lessons. */
  z.object({ ...checked, kind: z.literal('retention'), outcome: z.literal('archived'), keep: z.int() }),
]);
export type LessonCheck = z.infer<typeof lessonCheckSchema>;

/** The version that a lesson was learned from, and its last evaluation. The run may have been deleted. */
export const lessonOriginSchema = z.object({
  runId: z.string(),
  runNumber: z.int(),
  experimentId: z.string(),
  experimentName: z.string(),
  version: z.int().nullable(),
  iteration: z.int().nullable(),
  /** Start of the case's input and of the version's output, at most 2,000 characters each. */
  input: z.string(),
  output: z.string().nullable(),
  score,
  issues: z.array(z.object({ text: z.string(), criterion: z.string().nullable() })),
  /** Reasons for its scores, by criterion. */
  reasons: z.record(z.string(), z.string()),
  feedback: z.string().nullable(),
});
export type LessonOrigin = z.infer<typeof lessonOriginSchema>;

/** One use: the version whose prompt contained it. Scores are overall scores, null if unscored. */
const recall = z.object({
  runId: z.string(),
  runNumber: z.int(),
  experimentId: z.string(),
  experimentName: z.string(),
  input: z.string(),
  version: z.int(),
  rank: z.int(),
  /** Match score, 0 to 1. Null if all lessons were used. */
  score,
  effect: z.enum(RECALL_EFFECTS).nullable(),
  scoreBefore: score,
  scoreAfter: score,
  /** True if the run that wrote it recalled it. */
  isOwnRun: z.boolean(),
  createdAt: at,
});
export type LessonRecall = z.infer<typeof recall>;

const comment = z.object({ id: z.string(), actor: z.string(), text: z.string(), createdAt: at });
export type LessonComment = z.infer<typeof comment>;

/** A lesson with all details. Lists are in chronological order, except recalls: the newest first, at most 100. */
export const lessonDetailSchema = lessonListItemSchema.extend({
  /** Number of edits so far. An edit request contains it, to detect conflicting edits. */
  editCount: z.int(),
  /** Screening findings in the current text. */
  findings: z.array(finding),
  edits: z.array(edit),
  checks: z.array(lessonCheckSchema),
  origin: lessonOriginSchema.nullable(),
  recalls: z.array(recall),
  /** Duplicates that it replaces: the oldest, at most 100. */
  merged: z.array(brief),
  mergedCount: z.int().meta({ description: 'The number of duplicates that it replaces. `merged` lists at most 100.' }),
  mergedInto: brief.nullable(),
  reviews: z.array(
    z.object({
      number: z.int(),
      verdict: z.enum(LESSON_VERDICTS),
      reason: z.string(),
      actor: z.string(),
      createdAt: at,
    }),
  ),
  comments: z.array(comment),
  /** Trials on selected cases: one batch without the lesson, one with it. */
  trials: z.array(
    z.object({
      id: z.string(),
      experimentId: z.string(),
      batchWithoutId: z.string(),
      batchWithId: z.string(),
      requestedBy: z.string(),
      createdAt: at,
    }),
  ),
});
export type LessonDetail = z.infer<typeof lessonDetailSchema>;
