import type { Spend } from './token-usage.ts';

/**
 * Kinds of lessons. Sources: `lesson` Shinn et al. 2023 (Reflexion); `failure`, `partial`, `success`, `decision` the reflection protocol's
 * forms by outcome; `skill_card`, `failure_pattern`, `tool_policy`, `episodic_case`, `user_preference` Retroformer's retrospective;
 * `principle` and `procedure` the pair of MARS.
 */
export const LESSON_KINDS = [
  'lesson',
  'failure',
  'partial',
  'success',
  'decision',
  'skill_card',
  'failure_pattern',
  'tool_policy',
  'episodic_case',
  'user_preference',
  'principle',
  'procedure',
] as const;
export type LessonKind = (typeof LESSON_KINDS)[number];

/** Forms of the reflection at a run's end, by outcome: unsolved, unsolved but better than its first version, solved. */
export const REFLECTION_KINDS = ['failure', 'partial', 'success'] as const satisfies readonly LessonKind[];
export type ReflectionKind = (typeof REFLECTION_KINDS)[number];

/**
 * Status of a lesson: stored (`candidate`), screened and waiting for a person (`quarantined`), available to other runs (`promoted`),
 * rejected (`rejected`), or archived (`archived`: retired, merged into another, or beyond its agent's retention).
 */
export const LESSON_STATUSES = ['candidate', 'quarantined', 'promoted', 'rejected', 'archived'] as const;
export type LessonStatus = (typeof LESSON_STATUSES)[number];

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

/** One field of a lesson's form: text of at most `LESSON_LENGTH` characters. */
type LessonField = { name: string; label: string; required: boolean };

/** Maximum characters of a lesson's text, and of each of its fields. */
export const LESSON_LENGTH = 2_000;
/** Maximum length of the input that a lesson stores for search. */
export const SOURCE_INPUT_LENGTH = 200;

/** Form of each kind. A kind without fields only has a text. */
export const LESSON_FIELDS: Record<LessonKind, readonly LessonField[]> = {
  lesson: [],
  failure: [
    requiredField('whatHappened', 'What happened'),
    requiredField('whatWentWrong', 'What went wrong'),
    requiredField('why', 'Why'),
    requiredField('whatToDoDifferently', 'What to do differently'),
    optionalField('tacticalRule', 'Tactical rule'),
  ],
  partial: [
    requiredField('whatHappened', 'What happened'),
    requiredField('whatWentWrong', 'What went wrong'),
    requiredField('whatToDoDifferently', 'What to do differently'),
  ],
  success: [requiredField('strategy', 'Strategy'), requiredField('whyItWorked', 'Why it worked')],
  decision: [
    requiredField('what', 'What was decided'),
    optionalField('alternatives', 'Alternatives'),
    requiredField('why', 'Why'),
  ],
  skill_card: [
    requiredField('pattern', 'Pattern'),
    requiredField('strategy', 'Strategy'),
    optionalField('steps', 'Steps'),
  ],
  failure_pattern: [
    requiredField('pattern', 'Pattern'),
    requiredField('whatHappened', 'What happened'),
    requiredField('instead', 'Instead'),
  ],
  tool_policy: [requiredField('tool', 'Tool'), requiredField('constraint', 'Constraint')],
  episodic_case: [requiredField('statePattern', 'State'), requiredField('meaning', 'Meaning')],
  user_preference: [],
  principle: [],
  procedure: [requiredField('goal', 'Goal'), requiredField('steps', 'Steps')],
};

/** Formats a lesson with a form as text, one line per field, for recall, lists and search. Empty fields are omitted. */
export function lessonText(kind: LessonKind, fields: Readonly<Record<string, string>>): string {
  return LESSON_FIELDS[kind]
    .flatMap(({ name, label }) => {
      const value = fields[name]?.trim() ?? '';
      return value === '' ? [] : [`${label}: ${value}`];
    })
    .join('\n');
}

function requiredField(name: string, label: string): LessonField {
  return { name, label, required: true };
}

function optionalField(name: string, label: string): LessonField {
  return { name, label, required: false };
}

/** Known task types. All but `custom` have default criteria. `custom` names no type. */
export const TASK_TYPES = ['code', 'writing', 'analysis', 'reasoning', 'custom'] as const;

/** Returns a task type in its stored form: `Web  Scraping` becomes `web scraping`. */
export function formatTaskType(taskType: string): string {
  return taskType.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

/** Returns the task type used to match lessons. Null for `custom`, which does not describe the task. */
export function namedTaskType(taskType: string | null): string | null {
  return taskType === 'custom' ? null : taskType;
}

/** A lesson of the library for a prompt. `score`: its match with the task, 0 to 1. Null if it was not selected by match. */
export type RecalledText = { id: string; kind: LessonKind; text: string; score: number | null };

/** Recalled lessons for a step, in prompt order, and the cost of the recall. */
export type Recalled = { lessons: RecalledText[]; spend: Spend };

export const RECALL_EFFECTS = ['helpful', 'harmful', 'neutral'] as const;
/** Effect of a recalled lesson, from the evaluation of its version. */
export type RecallEffect = (typeof RECALL_EFFECTS)[number];

/** Recalls lessons for the open step. Returns null if aborted. */
export type Recall = () => Promise<Recalled | null>;

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
   * `merged`: replaced by a similar lesson. `unmerged`: all others.
   */
  only: (typeof LESSON_SELECTIONS)[number] | null;
  personId?: string;
  order: LessonOrder;
};
export const LESSON_SELECTIONS = [
  'review',
  'held',
  'clear',
  'contested',
  'assigned',
  'refuted',
  'merged',
  'unmerged',
] as const;
/** Agent value that selects lessons for all agents. */
export const FOR_ALL_AGENTS = '*';
export const LESSON_SCOPE_PARTS = ['agent', 'taskType', 'tool'] as const;
export type LessonScopePart = (typeof LESSON_SCOPE_PARTS)[number];
export const LESSON_ORDERS = ['newest', 'most_helpful'] as const;
export type LessonOrder = (typeof LESSON_ORDERS)[number];

/** `review`: admitted or held lessons that wait for a verdict. `refuted`: promoted lessons proposed for retirement. */
export type LessonCounts = Record<LessonStatus, number> & { review: number; refuted: number };
