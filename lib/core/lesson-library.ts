import type { LessonKind, LessonStatus } from './lesson-schema.ts';

/*
 * Types of a lesson for pages, the API and use cases. Functions that read and write lessons:
 * - lib/lessons/queries.ts: listLessons(database, filter: LessonFilter, page: { cursor: string | null; limit: number }):
 *   Promise<Page<LessonListItem>>
 * - lib/lessons/queries.ts: findLesson(database, id): Promise<LessonDetail | null>
 * - lib/lessons/lesson-status.ts: countLessons(database): Promise<LessonCounts>; countLessonsToReview(database): Promise<number>
 * - app/lessons/actions.ts: reviewLessonAction(lessonId, input), editLessonAction(lessonId, input), commentLessonAction(lessonId, input),
 *   screenLessonAction(lessonId), addLessonAction(input), deleteLessonAction(lessonId). Each takes unknown input and returns a Result. The
 *   schemas are in lib/lessons.
 * - GET /api/v1/lessons/export?format=markdown|jsonl (a download)
 */

/** Scope of a lesson. Null means all agents or any task type. Empty `tools` means no particular tool. */
export type LessonScope = { agent: string | null; taskType: string | null; tools: string[] };

/**
 * Source of a lesson. All fields are empty if a person wrote it. `input` is the start of the case's input, at most 200 characters.
 * `iteration` is also null if the run was deleted.
 */
export type LessonSource = {
  runId: string | null;
  version: number | null;
  iteration: number | null;
  input: string;
  score: number | null;
};

/** Form of a lesson by field name (`LESSON_FIELDS`). Empty for kinds with only a text. */
export type LessonFields = Record<string, string>;

/**
 * Progress of a lesson towards review.
 * `waiting`: the worker continues automatically, within seconds.
 * `staged`: written by an experiment that stages, kept until a person requests screening.
 * `held`: screening found a problem, so a person has to decide with a reason.
 * `admitted`: ready for review.
 */
export const LESSON_ADMISSIONS = ['waiting', 'staged', 'held', 'admitted'] as const;
export type LessonAdmission = (typeof LESSON_ADMISSIONS)[number];

/** A person's verdict. Archive retires a lesson. Restore returns a rejected or archived one to review. */
export const LESSON_VERDICTS = ['promote', 'reject', 'archive', 'restore'] as const;
export type LessonVerdict = (typeof LESSON_VERDICTS)[number];

export type LessonListItem = {
  id: string;
  kind: LessonKind;
  status: LessonStatus;
  admission: LessonAdmission;
  text: string;
  fields: LessonFields;
  scope: LessonScope;
  /** The named block whose prompts may contain it. */
  block: string;
  source: LessonSource;
  /** `provider/model` of its author, a person's name, or `import`. */
  createdBy: string;
  createdAt: string;
  /** The lesson with the same content that replaces this one. */
  mergedIntoId: string | null;
  /** Number of prompts that contained it. 1,000 means that many or more. */
  used: number;
  /** Number of uses by effect, as far as it is known. */
  helpful: number;
  harmful: number;
  neutral: number;
  lastUsedAt: string | null;
  /** True for a promoted lesson that was harmful at least twice and more often than helpful. It is proposed for retirement. */
  isRefuted: boolean;
  reviewedBy: string | null;
  reviewedAt: string | null;
  /** Yearly archive of an archived lesson: the year it was written, in UTC. Null if not archived. */
  archiveYear: number | null;
};

/** Returns the yearly archive of a lesson by the time it was written, such as `2026-03-01T09:30:00.000Z`. Null if not archived. */
export function archiveYearOf({ status, createdAt }: { status: LessonStatus; createdAt: string }): number | null {
  return status === 'archived' ? new Date(createdAt).getUTCFullYear() : null;
}

/** Filter of a lesson list. Null means any. */
export type LessonFilter = {
  /** Word prefixes that must all occur in its text or in the start of its source input. Empty means any. */
  query: string;
  kind: LessonKind | null;
  status: LessonStatus | null;
  /** Only lessons in this yearly archive. */
  year: number | null;
  /** Only lessons whose scope names this agent (`FOR_ALL_AGENTS`: no particular one), task type or tool. */
  scope: { by: LessonScopePart; value: string } | null;
  /**
   * `review`: waits for a person's verdict. Subsets of it: `held`: screening found a problem. `clear`: it did not. `assigned`: `personId`
   * is assigned as a reviewer. `contested`: reviewers voted for and against its current text. `refuted`: proposed for retirement.
   */
  only: (typeof LESSON_SELECTIONS)[number] | null;
  personId?: string;
  order: LessonOrder;
};
export const LESSON_SELECTIONS = ['review', 'held', 'clear', 'contested', 'assigned', 'refuted'] as const;
/** Agent value that selects lessons for all agents. */
export const FOR_ALL_AGENTS = '*';
export const LESSON_SCOPE_PARTS = ['agent', 'taskType', 'tool'] as const;
export type LessonScopePart = (typeof LESSON_SCOPE_PARTS)[number];
export const LESSON_ORDERS = ['newest', 'most_helpful'] as const;
export type LessonOrder = (typeof LESSON_ORDERS)[number];

/**
 * `review`: admitted or held lessons that wait for a verdict, shown as a badge in the navigation. `refuted`: promoted lessons proposed for
 * retirement.
 */
export type LessonCounts = Record<LessonStatus, number> & { review: number; refuted: number };

/** Content of a lesson before or after an edit. */
export type LessonState = { text: string; fields: LessonFields; scope: LessonScope };

/** A change by a person. Numbers start at 0. */
export type LessonEdit = {
  number: number;
  before: LessonState;
  after: LessonState;
  actor: string;
  reason: string | null;
  createdAt: string;
};

/** Number of redactions of one kind that a scan made before storage. */
export type RedactionCount = { kind: string; count: number };
/** A finding of the screening, with the text that matched. */
export type ScreeningFinding = { family: string; rule: string; matched: string };

/**
 * Result of the model check of a new lesson. `model` is the provider and model name. `reason` is from the model, or the reason why there is
 * no answer.
 */
export type ModelCheck = { outcome: 'clear' | 'held'; model: string; reason: string };

/**
 * One check of a lesson, in chronological order. `edit` is the number of edits of the checked text. An edited text is redacted and screened
 * again. After a merge there are no further checks.
 */
export type LessonCheck = { number: number; edit: number; createdAt: string } & (
  | { kind: 'redact'; outcome: 'clear' | 'redacted'; found: RedactionCount[] }
  | { kind: 'screen'; outcome: 'clear' | 'held'; findings: ScreeningFinding[] }
  /** Check by a model of the experiment's choice when the lesson was written. Also held if the answer could not be parsed. */
  | ({ kind: 'model' } & ModelCheck)
  | {
      kind: 'merge';
      outcome: 'none' | 'merged';
      /**
       * The lesson that was kept and the similarity to it (0 to 1), or null if there is no duplicate. `status`: its status at that time.
       */
      into: { lessonId: string; status: LessonStatus; likeness: number } | null;
    }
  | { kind: 'quarantine'; outcome: 'waiting' }
  /** Archived because its agent has enough newer lessons. */
  | { kind: 'retention'; outcome: 'archived'; keep: number }
);

/** The version that a lesson was learned from, and its last evaluation. The run may have been deleted. */
export type LessonOrigin = {
  runId: string;
  runNumber: number;
  experimentId: string;
  experimentName: string;
  version: number | null;
  iteration: number | null;
  /** Start of the case's input and of the version's output, at most 2,000 characters each. */
  input: string;
  output: string | null;
  score: number | null;
  issues: { text: string; criterion: string | null }[];
  /** Reasons for its scores, by criterion. */
  reasons: Record<string, string>;
  feedback: string | null;
};

/** One use: the version whose prompt contained it. Scores are overall scores, null if unscored. */
export type LessonRecall = {
  runId: string;
  runNumber: number;
  experimentId: string;
  experimentName: string;
  input: string;
  version: number;
  rank: number;
  /** Match score, 0 to 1. Null if all lessons were used. */
  score: number | null;
  effect: 'helpful' | 'harmful' | 'neutral' | null;
  scoreBefore: number | null;
  scoreAfter: number | null;
  /** True if the run that wrote it recalled it. */
  isOwnRun: boolean;
  createdAt: string;
};

/** Summary of another lesson. */
export type LessonBrief = {
  id: string;
  kind: LessonKind;
  status: LessonStatus;
  text: string;
  createdBy: string;
  createdAt: string;
  source: LessonSource;
};

type LessonReview = {
  number: number;
  verdict: LessonVerdict;
  reason: string;
  actor: string;
  createdAt: string;
};

export type LessonComment = { id: string; actor: string; text: string; createdAt: string };

/** A trial on selected cases: one batch without the lesson, one with it. */
type LessonTrial = {
  id: string;
  experimentId: string;
  batchWithoutId: string;
  batchWithId: string;
  requestedBy: string;
  createdAt: string;
};

/** A lesson with all details. Lists are in chronological order, except recalls: the newest first, at most 100. */
export type LessonDetail = LessonListItem & {
  /** Number of edits so far. An edit request contains it, to detect conflicting edits. */
  editCount: number;
  /** Screening findings in the current text. */
  findings: ScreeningFinding[];
  edits: LessonEdit[];
  checks: LessonCheck[];
  origin: LessonOrigin | null;
  recalls: LessonRecall[];
  /** Duplicates that it replaces. At most 100. */
  merged: LessonBrief[];
  mergedInto: LessonBrief | null;
  reviews: LessonReview[];
  comments: LessonComment[];
  trials: LessonTrial[];
};
