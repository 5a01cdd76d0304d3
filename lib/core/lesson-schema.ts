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
