import { z } from 'zod';
import { LESSON_FIELDS, LESSON_KINDS, LESSON_LENGTH, LESSON_STATUSES, lessonText } from '#lib/core/lesson-kinds.ts';
import { nameSchema, oneOf } from '#lib/core/setting-parts.ts';
import { showValue } from '#lib/core/show-value.ts';
import { taskTypeSchema } from '#lib/core/task-type.ts';

/** How much of the input it was learned from goes along with a lesson, in characters. */
const SOURCE_INPUT_LENGTH = 2_000;

const textSchema = z
  .string({ error: (issue) => `must be a text, got ${showValue(issue.input)}` })
  .trim()
  .max(LESSON_LENGTH, { error: `must be at most ${LESSON_LENGTH.toLocaleString('en-US')} characters` });

const lessonSchema = z.strictObject(
  {
    kind: oneOf(LESSON_KINDS),
    /** How far it came in the library it left; in the one it enters it is a candidate again. */
    status: oneOf(LESSON_STATUSES).default('candidate'),
    text: textSchema.default(''),
    /** By the names of `LESSON_FIELDS`; those left empty are left out. Empty for kinds that are their text alone. */
    fields: z.record(z.string(), textSchema).default({}),
    block: nameSchema.default('reflexion_lessons'),
    /** Null: for all agents. */
    agent: nameSchema.nullable().default(null),
    /** Null: for tasks of any type. */
    taskType: taskTypeSchema.nullable().default(null),
    tools: z.array(nameSchema, { error: 'must be a list of names of tools' }).max(50).default([]),
    /** The beginning of the input it was learned from; empty where it was learned from none. */
    sourceInput: z.string().max(SOURCE_INPUT_LENGTH).default(''),
    /** From 0 to 1. */
    sourceScore: z.number().min(0).max(1).nullable().default(null),
    /** A person's name, or the model as `provider/model`. */
    createdBy: z.string().trim().min(1).max(320).default('import'),
    /** UTC, as `2026-03-01T09:30:00.000Z`; null where nobody wrote it down. */
    createdAt: z.iso.datetime({ error: 'must be a time such as 2026-03-01T09:30:00.000Z' }).nullable().default(null),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `has parts that no lesson has: ${issue.keys.join(', ')}`
        : 'must be an object',
  },
);

/**
 * A lesson as it travels between libraries: without ids, effects and reviews, which belong to the library it left. Missing parts
 * take their default, unknown ones are refused. A kind with a form must have its required fields, and its text is made of them;
 * any other kind has a text and no fields.
 */
export const exchangedLessonSchema = lessonSchema
  .superRefine((lesson, context) => {
    for (const { path, message } of formProblems(lesson)) context.addIssue({ code: 'custom', path, message });
  })
  .transform((lesson) => {
    const fields = filledFields(lesson);
    return { ...lesson, fields, text: hasForm(lesson.kind) ? lessonText(lesson.kind, fields) : lesson.text };
  });
export type ExchangedLesson = z.output<typeof exchangedLessonSchema>;

type Unchecked = z.output<typeof lessonSchema>;

function formProblems(lesson: Unchecked): { path: string[]; message: string }[] {
  const { kind, text, fields } = lesson;
  const known = LESSON_FIELDS[kind];
  const problems = Object.keys(fields)
    .filter((name) => !known.some((field) => field.name === name))
    .map((name) => ({ path: ['fields', name], message: `is no field of the kind ${kind}${namesOf(kind)}` }));
  if (!hasForm(kind)) return text === '' ? [...problems, { path: ['text'], message: 'must not be empty' }] : problems;
  const missing = known.filter(({ name, required }) => required && (fields[name] ?? '') === '');
  return [
    ...problems,
    ...missing.map(({ name, label }) => ({ path: ['fields', name], message: `must not be empty (${label})` })),
  ];
}

function namesOf(kind: Unchecked['kind']): string {
  const names = LESSON_FIELDS[kind].map(({ name }) => name);
  return names.length === 0 ? ', which is its text alone' : ` (${names.join(', ')})`;
}

/** In the form's order, without the empty ones. */
function filledFields({ kind, fields }: Unchecked): Record<string, string> {
  return Object.fromEntries(
    LESSON_FIELDS[kind].flatMap(({ name }) => {
      const value = fields[name] ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );
}

/** Whether lessons of a kind are written in fields. */
export function hasForm(kind: Unchecked['kind']): boolean {
  return LESSON_FIELDS[kind].length > 0;
}
