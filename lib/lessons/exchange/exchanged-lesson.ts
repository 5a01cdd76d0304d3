import { z } from 'zod';
import {
  LESSON_FIELDS,
  LESSON_KINDS,
  LESSON_LENGTH,
  LESSON_STATUSES,
  type LessonKind,
  lessonText,
} from '#lib/core/lesson-schema.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { nameSchema, oneOf, taskTypeSchema, withLength } from '#lib/core/setting-parts.ts';
import { showValue } from '#lib/core/text-values.ts';
import { isTooDeep, MAX_DEPTH, storedTime } from '#lib/input/parse-input.ts';

/** Maximum exported length of the input from which a lesson was learned, in characters. */
const SOURCE_INPUT_LENGTH = 2_000;

const textSchema = z
  .string({ error: (issue) => `must be a text, got ${showValue(issue.input)}` })
  .trim()
  .max(LESSON_LENGTH, { error: `must be at most ${LESSON_LENGTH.toLocaleString('en-US')} characters` });

/** The parts of a lesson exchanged between libraries, before cross-field validation. */
export const lessonLineSchema = z.strictObject(
  {
    kind: oneOf(LESSON_KINDS).meta({ description: 'What sort of insight it is.' }),
    status: oneOf(LESSON_STATUSES).default('candidate').meta({
      description: 'Its status in the library it was exported from. An imported lesson is a candidate again.',
    }),
    text: textSchema.default('').meta({ description: 'The lesson. Kinds with fields get it from their fields.' }),
    /** Fields by their names in `LESSON_FIELDS`, without empty ones. Empty for kinds that have only a text. */
    fields: z
      .record(z.string(), textSchema)
      .default({})
      .meta({ description: 'The fields of kinds that have some, by name.' }),
    block: nameSchema.default('reflexion_lessons').meta({ description: 'The block of lessons it belongs to.' }),
    agent: nameSchema.nullable().default(null).meta({ description: 'The agent it is for. `null` for all.' }),
    taskType: taskTypeSchema.nullable().default(null).meta({ description: 'The task type it is for. `null` for all.' }),
    tools: z
      .array(nameSchema, { error: 'must be a list of names of tools' })
      .max(50)
      .default([])
      .meta({ description: 'The tools it is about.' }),
    sourceInput: z
      .string()
      .max(SOURCE_INPUT_LENGTH)
      .default('')
      .meta({ description: 'The beginning of the input that it was learned from.' }),
    sourceScore: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .default(null)
      .meta({ description: 'The score of the version that it was learned from.' }),
    createdBy: z
      .string()
      .trim()
      .min(1)
      .max(320)
      .default('import')
      .meta({ description: "A person's name, or the model as `provider/model`." }),
    createdAt: storedTime('must be a time such as 2026-03-01T09:30:00.000Z')
      .nullable()
      .default(null)
      .meta({ description: 'When it was written, in UTC.' }),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `has parts that no lesson has: ${issue.keys.join(', ')}`
        : 'must be an object',
  },
);

/**
 * A lesson exchanged between libraries, without ids, effects and reviews, which belong to its original library. Missing parts get their
 * default, unknown ones are rejected. A kind with a form requires its fields, and its text is built from them. Other kinds have a text and
 * no fields.
 */
export const exchangedLessonSchema = lessonLineSchema
  .superRefine((lesson, context) => {
    for (const { path, message } of formProblems(lesson)) context.addIssue({ code: 'custom', path, message });
  })
  .transform((lesson) => {
    const fields = filledFields(lesson);
    return { ...lesson, fields, text: hasForm(lesson.kind) ? lessonText(lesson.kind, fields) : lesson.text };
  });
export type ExchangedLesson = z.output<typeof exchangedLessonSchema>;

type Unchecked = z.output<typeof lessonLineSchema>;

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

/** Returns the non-empty fields in form order. */
function filledFields({ kind, fields }: Unchecked): Record<string, string> {
  return Object.fromEntries(
    LESSON_FIELDS[kind].flatMap(({ name }) => {
      const value = fields[name] ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );
}

/** Returns true if lessons of a kind have fields. */
export function hasForm(kind: Unchecked['kind']): boolean {
  return LESSON_FIELDS[kind].length > 0;
}

/** Formats a lesson as one line of JSONL, without line break. */
export function writeLessonLine(lesson: ExchangedLesson): string {
  return JSON.stringify(lesson);
}

/** Parses a lesson from one line of JSONL. `location` identifies the line in errors, for example `line 3`. */
export function readLessonLine(line: string, location: string): Result<ExchangedLesson> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return fail(
      'invalid',
      `${location} is not JSON (${error instanceof Error ? error.message : String(error)}).`,
      location,
    );
  }
  if (isTooDeep(value)) return fail('invalid', `${location} is nested deeper than ${MAX_DEPTH} levels.`, location);
  const read = exchangedLessonSchema.safeParse(value, { reportInput: true });
  if (read.success) return succeed(read.data);
  const issue = read.error.issues[0];
  const path = issue?.path.join('.') ?? '';
  return fail(
    'invalid',
    `${location}: ${path === '' ? 'the lesson' : path} ${issue === undefined ? 'is wrong' : withLength(issue)}.`,
    location,
  );
}

/**
 * Returns the path of a lesson's file: `memory/reflections/<agent>/YYYY-MM-DD-<short-title>.md`. Archived lessons go to
 * `memory/reflections/<agent>/archive/<year>/`, by the year they were written. Names are in lower case with hyphens, titles have at most
 * five words. If `usedPaths` contains the name, `-2`, `-3` and so on is appended. Lessons for all agents use the folder `any`, those
 * without a time are `undated`.
 */
export function lessonPath(lesson: ExchangedLesson, usedPaths: ReadonlySet<string> = new Set()): string {
  const { agent, status, createdAt } = lesson;
  const archive = status === 'archived' ? `archive/${createdAt?.slice(0, 4) ?? 'undated'}/` : '';
  const folder = `memory/reflections/${agent === null ? 'any' : agentFolder(agent)}/${archive}`;
  const name = `${folder}${createdAt?.slice(0, 10) ?? 'undated'}-${shortTitle(lesson)}`;
  for (let number = 1; ; number++) {
    const path = `${name}${number === 1 ? '' : `-${number}`}.md`;
    if (!usedPaths.has(path)) return path;
  }
}

/** Earlier versions stored archived lessons in `memory/archive/<year>/<agent>/`. */
const PATH =
  /^(?:.*\/)?memory\/(?:reflections\/([^/]+)\/(?:archive\/(?:\d{4}|undated)\/)?|archive\/(?:\d{4}|undated)\/([^/]+)\/)(?:(\d{4}-\d\d-\d\d)-)?[^/]+\.md$/;

/** Returns the agent's folder and the day from a file's path, for files that do not contain them. Null for parts the path lacks. */
export function readLessonPath(path: string): { agent: string | null; createdAt: string | null } {
  const [, current, earlier, day] = PATH.exec(path.replaceAll('\\', '/')) ?? [];
  const folder = current ?? earlier;
  const time = day === undefined ? null : new Date(`${day}T00:00:00.000Z`);
  return {
    agent: folder === undefined || folder === 'any' ? null : folder,
    createdAt: time === null || Number.isNaN(time.getTime()) ? null : time.toISOString(),
  };
}

/** Returns a title of at most five words, in lower case with hyphens. */
export function shortTitle({ kind, text, fields }: ExchangedLesson): string {
  const words = wordsOf(fields[TITLE_FIELDS[kind] ?? LESSON_FIELDS[kind][0]?.name ?? ''] ?? text);
  const significant = words.filter((word) => !SMALL_WORDS.has(word));
  return (significant.length > 0 ? significant : words).slice(0, 5).join('-') || 'lesson';
}

/** Title field of kinds whose first field is not the best summary. */
const TITLE_FIELDS: Partial<Record<LessonKind, string>> = { failure: 'whatWentWrong', partial: 'whatWentWrong' };

const SMALL_WORDS = new Set(
  'a an and as at be by for from i in is it my of on or that the this to was were will with'.split(' '),
);

function agentFolder(agent: string): string {
  return wordsOf(agent).slice(0, 8).join('-') || 'agent';
}

function wordsOf(text: string): string[] {
  const plain = text.slice(0, 500).normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().normalize('NFC');
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => Array.from(word).slice(0, 20).join(''));
}
