import type { Spend } from './token-usage.ts';

/**
 * What a lesson can be. Sources: `lesson` Shinn et al. 2023 (Reflexion); `failure`, `partial`, `success`, `decision` the reflection
 * protocol's forms by outcome; `skill_card`, `failure_pattern`, `tool_policy`, `episodic_case`, `user_preference` Retroformer's
 * retrospective; `principle` and `procedure` the pair of MARS.
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

/** The forms a run reflects in at its end, by how it came out: unsolved, unsolved but better than its first version, solved. */
export const REFLECTION_KINDS = ['failure', 'partial', 'success'] as const satisfies readonly LessonKind[];
export type ReflectionKind = (typeof REFLECTION_KINDS)[number];

/**
 * How far a lesson came: stored (`candidate`), screened and waiting for a person (`quarantined`), given to other runs (`promoted`), refused
 * (`rejected`), or put away (`archived`: retired, merged into another, or past its agent's retention).
 */
export const LESSON_STATUSES = ['candidate', 'quarantined', 'promoted', 'rejected', 'archived'] as const;
export type LessonStatus = (typeof LESSON_STATUSES)[number];

/** One field of a lesson's form: always text, of at most `LESSON_LENGTH` characters. */
type LessonField = { name: string; label: string; required: boolean };

/** Characters a lesson's text, and each of its fields, may have. */
export const LESSON_LENGTH = 2_000;

/** The form of each kind; a kind without fields is its text alone. */
export const LESSON_FIELDS: Record<LessonKind, readonly LessonField[]> = {
  lesson: [],
  failure: [
    must('whatHappened', 'What happened'),
    must('whatWentWrong', 'What went wrong'),
    must('why', 'Why'),
    must('whatToDoDifferently', 'What to do differently'),
    may('tacticalRule', 'Tactical rule'),
  ],
  partial: [
    must('whatHappened', 'What happened'),
    must('whatWentWrong', 'What went wrong'),
    must('whatToDoDifferently', 'What to do differently'),
  ],
  success: [must('strategy', 'Strategy'), must('whyItWorked', 'Why it worked')],
  decision: [must('what', 'What was decided'), may('alternatives', 'Alternatives'), must('why', 'Why')],
  skill_card: [must('pattern', 'Pattern'), must('strategy', 'Strategy'), may('steps', 'Steps')],
  failure_pattern: [must('pattern', 'Pattern'), must('whatHappened', 'What happened'), must('instead', 'Instead')],
  tool_policy: [must('tool', 'Tool'), must('constraint', 'Constraint')],
  episodic_case: [must('statePattern', 'State'), must('meaning', 'Meaning')],
  user_preference: [],
  principle: [],
  procedure: [must('goal', 'Goal'), must('steps', 'Steps')],
};

/** The text of a lesson with a form, one line a field: what is recalled, shown in lists and searched. Fields left empty have no line. */
export function lessonText(kind: LessonKind, fields: Readonly<Record<string, string>>): string {
  return LESSON_FIELDS[kind]
    .flatMap(({ name, label }) => {
      const value = fields[name]?.trim() ?? '';
      return value === '' ? [] : [`${label}: ${value}`];
    })
    .join('\n');
}

function must(name: string, label: string): LessonField {
  return { name, label, required: true };
}

function may(name: string, label: string): LessonField {
  return { name, label, required: false };
}

/** The task types that Hone knows. All but `custom` have default criteria; `custom` names no type. */
export const TASK_TYPES = ['code', 'writing', 'analysis', 'reasoning', 'custom'] as const;

/** A task type as it is stored: `Web  Scraping` is `web scraping`. */
export function formatTaskType(taskType: string): string {
  return taskType.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

/** The type of task that lessons are matched by; null for `custom`, which says nothing about the task. */
export function namedTaskType(taskType: string | null): string | null {
  return taskType === 'custom' ? null : taskType;
}

/** A lesson of the library for a prompt. `score`: how well it fits the task, 0 to 1; null where it was not looked for by that. */
export type RecalledText = { id: string; kind: LessonKind; text: string; score: number | null };

/** What the library gives a step, in the order of the prompt, and what finding it cost. */
export type Recalled = { lessons: RecalledText[]; spend: Spend };

export const RECALL_EFFECTS = ['helpful', 'harmful', 'neutral'] as const;
/** How a recalled lesson turned out, by what the evaluation of its version says. */
export type RecallEffect = (typeof RECALL_EFFECTS)[number];

/** Recalls lessons for the open step; null when it was called off. */
export type Recall = () => Promise<Recalled | null>;
