import { z } from 'zod';
import { recalledLine } from '#lib/core/prompts/recalled-line.ts';
import { estimatedTokens } from './estimated-tokens.ts';
import type { RecalledLesson, WrittenLesson } from './history.ts';
import {
  LESSON_FIELDS,
  LESSON_LENGTH,
  type LessonKind,
  lessonText,
  type Recall,
  type RecalledText,
  type ReflectionKind,
} from './lesson-schema.ts';
import { structuredResponse } from './responses.ts';
import type { ExperimentSettings } from './settings.ts';
import { plainWords, snakeCase } from './text-values.ts';
import { NO_SPEND, type Spend } from './token-usage.ts';

/** `isComplete`: every field is requested, including optional ones. */
type FormOptions = { isComplete?: boolean };

/** Returns the schema of a kind's form for a model to fill in. Any field may contain `{variable}` placeholders. */
export function formSchema(kind: LessonKind, { isComplete = false }: FormOptions = {}): z.ZodObject {
  return z.object(
    Object.fromEntries(
      LESSON_FIELDS[kind].map(({ name, label, required }) => [
        name,
        z.string().describe(required || isComplete ? label : `${label}; empty where there is none`),
      ]),
    ),
  );
}

/** Returns a description of the form as a JSON object, for prompts. */
export function formText(kind: LessonKind, { isComplete = false }: FormOptions = {}): string {
  const fields = LESSON_FIELDS[kind].map(
    ({ name, label, required }) => `"${name}": "${label}${required || isComplete ? '' : ', or empty'}"`,
  );
  return `{${fields.join(', ')}}`;
}

/**
 * Parses a form of a kind as filled in by a model, or returns null if a required field is missing or empty. Names may be in snake_case.
 * Lists become numbered lines, and values that are too long are truncated. Unknown fields are dropped.
 */
export function readForm(kind: LessonKind, input: Readonly<Record<string, unknown>>): Record<string, string> | null {
  const fields: Record<string, string> = {};
  for (const { name, required } of LESSON_FIELDS[kind]) {
    const text = textOf(input[name] ?? input[snakeCase(name)]);
    if (text === '' && required) return null;
    if (text !== '') fields[name] = text;
  }
  return fields;
}

function textOf(value: unknown): string {
  const text = Array.isArray(value)
    ? value
        .map((item) => textOf(item))
        .filter((item) => item !== '')
        .map((item, index) => `${index + 1}. ${item.replace(/^\d{1,3}[.)]\s+/, '')}`)
        .join('\n')
    : typeof value === 'string'
      ? value
      : '';
  return text.trim().slice(0, LESSON_LENGTH).toWellFormed();
}

/**
 * Returns the lessons that fit into a budget, in order, at most `most`, and the tokens they take in a prompt. A lesson that is too long is
 * skipped, and the following ones are tried.
 */
export function lessonsThatFit<Lesson extends Pick<RecalledText, 'kind' | 'text'>>(
  lessons: readonly Lesson[],
  tokenBudget: number,
  most: number = Number.POSITIVE_INFINITY,
): { lessons: Lesson[]; tokens: number } {
  const fitting: Lesson[] = [];
  let tokens = 0;
  for (const lesson of lessons) {
    const needed = estimatedTokens(recalledLine(lesson));
    if (fitting.length >= most) break;
    if (tokens + needed > tokenBudget) continue;
    tokens += needed;
    fitting.push(lesson);
  }
  return { lessons: fitting, tokens };
}

/** Lessons of one prompt: the run's own, those of the library, all of them as recorded, and the cost of the recall. */
export type StepLessons = {
  own: WrittenLesson[];
  recalled: RecalledText[];
  recalledLessons: RecalledLesson[];
  spend: Spend;
};

/** Recalls lessons for a step that makes a version. A lesson that duplicates an earlier or own one is dropped. Returns null if aborted. */
export async function stepLessons(written: WrittenLesson[], recall: Recall | undefined): Promise<StepLessons | null> {
  const own = distinctLessons(written);
  const found = recall === undefined ? { lessons: [], spend: NO_SPEND } : await recall();
  if (found === null) return null;
  const recalled = distinctLessons(found.lessons, own);
  const all = [...own.map(({ id }) => ({ id, score: null })), ...recalled];
  const recalledLessons = all.map(({ id, score }, position) => ({ lessonId: id, rank: position + 1, score }));
  return { own, recalled, recalledLessons, spend: found.spend };
}

/** Returns the run's own lessons for its next attempt. Staged lessons wait for their review, and withheld ones for a person. */
export function ownLessons(lessons: WrittenLesson[], { lessons: { write } }: ExperimentSettings): WrittenLesson[] {
  return write === 'learn' ? lessons.filter(({ kind, withheld }) => kind === 'lesson' && withheld !== true) : [];
}

type IdentifiedText = { id: string; text: string };

/** Returns the lessons without those that repeat a lesson before them, or one of `others`, in the same words. */
export function distinctLessons<Lesson extends IdentifiedText>(
  lessons: readonly Lesson[],
  others: readonly IdentifiedText[] = [],
): Lesson[] {
  const known = new Set(others.flatMap(({ id, text }) => [id, plainWords(text)]));
  return lessons.filter(({ id, text }) => {
    const isNew = !known.has(id) && !known.has(plainWords(text));
    known.add(id).add(plainWords(text));
    return isNew;
  });
}

/** A parsed reflection: its fields and the text they form, or the reason why it could not be parsed, as a message for people. */
export type ReadReflection = { ok: true; fields: Record<string, string>; text: string } | { ok: false; reason: string };

const anyObject = z.record(z.string(), z.unknown());

/** Parses a reflection of a kind from a model's response. */
export function readReflection(kind: ReflectionKind, response: string): ReadReflection {
  const schema = anyObject.refine((input) => readForm(kind, input) !== null, {
    error: `lacks ${LESSON_FIELDS[kind]
      .filter(({ required }) => required)
      .map(({ name }) => name)
      .join(', ')}`,
  });
  const read = structuredResponse(response, schema);
  if (!read.ok) return read;
  const fields = readForm(kind, read.value) ?? {};
  return { ok: true, fields, text: lessonText(kind, fields).slice(0, LESSON_LENGTH).toWellFormed() };
}
