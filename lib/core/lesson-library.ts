import type { LessonKind, LessonStatus } from './lesson-schema.ts';

/*
 * What pages, programs and use cases know of a lesson. Where it is read and written:
 *
 *   lib/lessons/queries.ts     listLessons(database, filter: LessonFilter, page: { cursor: string | null; limit: number }): Promise<Page<LessonListItem>>
 *   lib/lessons/queries.ts     findLesson(database, id): Promise<LessonDetail | null>
 *   lib/lessons/count-lessons.ts   countLessons(database): Promise<LessonCounts>; countLessonsToReview(database): Promise<number>
 *   app/lessons/actions.ts    reviewLessonAction(lessonId, input), editLessonAction(lessonId, input), commentLessonAction(lessonId, input),
 *                             screenLessonAction(lessonId), addLessonAction(input), deleteLessonAction(lessonId);
 *                             each takes unknown input and answers a Result: lib/lessons has the schemas and says what they hold.
 *   GET /api/v1/lessons/export?format=markdown|jsonl (a download)
 */

/** Where a lesson is meant for: null is all agents, any type of task; no tools: none in particular. */
export type LessonScope = { agent: string | null; taskType: string | null; tools: string[] };

/**
 * What a lesson was learned from; all empty where a person wrote it. `input` is the beginning of the case's input, at most 200 characters;
 * `iteration` is null too where the run was deleted.
 */
export type LessonSource = {
  runId: string | null;
  version: number | null;
  iteration: number | null;
  input: string;
  score: number | null;
};

/** The form of a lesson by field name (`LESSON_FIELDS`); empty for kinds that are their text alone. */
export type LessonFields = Record<string, string>;

/**
 * How far a lesson came on its way to the people who review it. `waiting`: the worker goes on with it by itself, within seconds.
 * `staged`: written by an experiment that stages, it stays until a person asks for the screening. `held`: the screening found
 * something, a person's verdict with a reason is needed. `admitted`: nothing stands in its way but the review.
 */
export const LESSON_ADMISSIONS = ['waiting', 'staged', 'held', 'admitted'] as const;
export type LessonAdmission = (typeof LESSON_ADMISSIONS)[number];

/** A person's verdict: archive retires; restore brings a rejected or archived one back before the reviewers. */
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
  /** The named block whose prompts it may stand in. */
  block: string;
  source: LessonSource;
  /** `provider/model` of what wrote it, a person's name, or `import`. */
  createdBy: string;
  createdAt: string;
  /** The lesson that says the same and speaks for this one. */
  mergedIntoId: string | null;
  /** How often it stood in a prompt; 1,000 stands for that many or more. */
  used: number;
  /** How the uses turned out that could be judged. */
  helpful: number;
  harmful: number;
  neutral: number;
  lastUsedAt: string | null;
  /** A promoted lesson that did harm twice and more often than it helped: proposed for retirement. */
  isRefuted: boolean;
  reviewedBy: string | null;
  reviewedAt: string | null;
  /** The yearly archive that an archived lesson is in: the year it was written in, UTC. Null where it is not archived. */
  archiveYear: number | null;
};

/** The yearly archive of a lesson that was written at a time, as `2026-03-01T09:30:00.000Z`. */
export function archiveYearOf({ status, createdAt }: { status: LessonStatus; createdAt: string }): number | null {
  return status === 'archived' ? new Date(createdAt).getUTCFullYear() : null;
}

/** What a lesson may be looked for by; null: whatever it is. */
export type LessonFilter = {
  /** Beginnings of words that its text, or the beginning of the input it was learned from, holds all of; empty: no matter. */
  query: string;
  kind: LessonKind | null;
  status: LessonStatus | null;
  /** Archived ones of this yearly archive. */
  year: number | null;
  /** Those whose scope names this agent (`FOR_ALL_AGENTS`: none in particular), type of task or tool. */
  scope: { by: LessonScopePart; value: string } | null;
  /**
   * `review`: waits for a person's verdict; of these, `held`: the screening found something, `clear`: it did not, `assigned`: `personId` was
   * asked to look at it, `contested`: reviewers voted for and against its present text. `refuted`: proposed for retirement.
   */
  only: (typeof LESSON_SELECTIONS)[number] | null;
  personId?: string;
  order: LessonOrder;
};
export const LESSON_SELECTIONS = ['review', 'held', 'clear', 'contested', 'assigned', 'refuted'] as const;
/** Stands for lessons for all agents where an agent may be named. */
export const FOR_ALL_AGENTS = '*';
export const LESSON_SCOPE_PARTS = ['agent', 'taskType', 'tool'] as const;
export type LessonScopePart = (typeof LESSON_SCOPE_PARTS)[number];
export const LESSON_ORDERS = ['newest', 'most_helpful'] as const;
export type LessonOrder = (typeof LESSON_ORDERS)[number];

/** `review`: admitted or held, waiting for a verdict: the navigation's number. `refuted`: promoted, proposed for retirement. */
export type LessonCounts = Record<LessonStatus, number> & { review: number; refuted: number };

/** One text of a lesson among the ones it had: before or after an edit. */
export type LessonState = { text: string; fields: LessonFields; scope: LessonScope };

/** A change by a person; numbers count from 0. */
export type LessonEdit = {
  number: number;
  before: LessonState;
  after: LessonState;
  actor: string;
  reason: string | null;
  createdAt: string;
};

/** What a scan took out before it was stored: how many of a kind. */
export type RedactionCount = { kind: string; count: number };
/** What the screening found, with the text it found it in. */
export type ScreeningFinding = { family: string; rule: string; matched: string };

/** What a model made of a new lesson: `model` is the provider's and its name; `reason` is the model's, or says why there is no answer. */
export type ModelCheck = { outcome: 'clear' | 'held'; model: string; reason: string };

/**
 * One step on a lesson's way, in the order they were taken. `edit` is how many edits the text had that it speaks of. An edited text is
 * redacted and screened again; after a merge there is no further step.
 */
export type LessonCheck = { number: number; edit: number; createdAt: string } & (
  | { kind: 'redact'; outcome: 'clear' | 'redacted'; found: RedactionCount[] }
  | { kind: 'screen'; outcome: 'clear' | 'held'; findings: ScreeningFinding[] }
  /** A model of the experiment's choice looked at it as it was written: held too where it gave no readable answer. */
  | ({ kind: 'model' } & ModelCheck)
  | {
      kind: 'merge';
      outcome: 'none' | 'merged';
      /** The lesson that was kept and how alike they are (0 to 1); null where nothing says the same. `status`: the kept one's, then. */
      into: { lessonId: string; status: LessonStatus; likeness: number } | null;
    }
  | { kind: 'quarantine'; outcome: 'waiting' }
  /** Put away because its agent has so many newer ones. */
  | { kind: 'retention'; outcome: 'archived'; keep: number }
);

/** The version a lesson was learned from, and what its last evaluation said; the run may be gone by now. */
export type LessonOrigin = {
  runId: string;
  runNumber: number;
  experimentId: string;
  experimentName: string;
  version: number | null;
  iteration: number | null;
  /** The beginning of the case's input and of the version's output, at most 2,000 characters each. */
  input: string;
  output: string | null;
  score: number | null;
  issues: { text: string; criterion: string | null }[];
  /** Why it got its scores, by criterion. */
  reasons: Record<string, string>;
  feedback: string | null;
};

/** One use: the version whose prompt it stood in. Scores are overall ones, null where unscored. */
export type LessonRecall = {
  runId: string;
  runNumber: number;
  experimentId: string;
  experimentName: string;
  input: string;
  version: number;
  rank: number;
  /** How well it matched, 0 to 1; null where all lessons were given. */
  score: number | null;
  effect: 'helpful' | 'harmful' | 'neutral' | null;
  scoreBefore: number | null;
  scoreAfter: number | null;
  /** The run that wrote it recalled it itself. */
  isOwnRun: boolean;
  createdAt: string;
};

/** Another lesson, in short. */
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

/** A trial on chosen cases: one batch without the lesson, one with it. */
type LessonTrial = {
  id: string;
  experimentId: string;
  batchWithoutId: string;
  batchWithId: string;
  requestedBy: string;
  createdAt: string;
};

/** A lesson with all that is known of it. Lists are in the order of time, but recalls: the newest first, at most 100. */
export type LessonDetail = LessonListItem & {
  /** How many edits it had: an edit names it, so that nobody writes over what they have not seen. */
  editCount: number;
  /** What the screening of the present text found. */
  findings: ScreeningFinding[];
  edits: LessonEdit[];
  checks: LessonCheck[];
  origin: LessonOrigin | null;
  recalls: LessonRecall[];
  /** Lessons that say the same, which it speaks for. At most 100. */
  merged: LessonBrief[];
  mergedInto: LessonBrief | null;
  reviews: LessonReview[];
  comments: LessonComment[];
  trials: LessonTrial[];
};
