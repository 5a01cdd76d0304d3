import { z } from 'zod';
import { recalledLine } from '#lib/core/prompts/recalled-section.ts';
import type { RecalledLesson, WrittenLesson } from './history.ts';
import { LESSON_FIELDS, LESSON_LENGTH, type LessonKind, type Recall, type RecalledText } from './lesson-schema.ts';
import type { ExperimentSettings } from './settings.ts';
import { estimatedTokens } from './text-values.ts';
import { NO_SPEND, type Spend } from './token-usage.ts';

/** `isComplete`: every field is asked for, also those that may be empty. */
type FormOptions = { isComplete?: boolean };

/** The shape a model is asked for where it is to fill in a kind's form; `{variable}` placeholders may stand in any field. */
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

/** The form in words, as a JSON object, for prompts. */
export function formText(kind: LessonKind, { isComplete = false }: FormOptions = {}): string {
  const fields = LESSON_FIELDS[kind].map(
    ({ name, label, required }) => `"${name}": "${label}${required || isComplete ? '' : ', or empty'}"`,
  );
  return `{${fields.join(', ')}}`;
}

/**
 * What a model filled into a kind's form. Names may be written in snake_case, lists become numbered lines, and what is longer than a
 * field may be is cut; null where a required field is missing or empty. Fields the form does not have are left away.
 */
export function readForm(kind: LessonKind, given: Readonly<Record<string, unknown>>): Record<string, string> | null {
  const fields: Record<string, string> = {};
  for (const { name, required } of LESSON_FIELDS[kind]) {
    const text = textOf(given[name] ?? given[snakeCase(name)]);
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

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * The lessons, in their order, that a budget has room for, `most` of them at most, and the tokens they take as they stand in a prompt.
 * One that is too long is left out, and those behind it are tried.
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

/** The lessons of one prompt: the run's own, those of the library, all of them as they are recorded, and what finding them cost. */
export type StepLessons = {
  own: WrittenLesson[];
  recalled: RecalledText[];
  recalledLessons: RecalledLesson[];
  spend: Spend;
};

/** Recalls for a step that makes a version. What an own lesson and a recalled one both say stands once. Null when it was called off. */
export async function stepLessons(own: WrittenLesson[], recall: Recall | undefined): Promise<StepLessons | null> {
  const found = recall === undefined ? { lessons: [], spend: NO_SPEND } : await recall();
  if (found === null) return null;
  const recalled = unsaid(own, found.lessons);
  const all = [...own.map(({ id }) => ({ id, score: null })), ...recalled];
  const recalledLessons = all.map(({ id, score }, position) => ({ lessonId: id, rank: position + 1, score }));
  return { own, recalled, recalledLessons, spend: found.spend };
}

/** The lessons that a run's next attempt is given of its own: what is only staged waits for its review, what was withheld for a person. */
export function ownLessons(lessons: WrittenLesson[], { lessons: { write } }: ExperimentSettings): WrittenLesson[] {
  return write === 'learn' ? lessons.filter(({ kind, withheld }) => kind === 'lesson' && withheld !== true) : [];
}

function unsaid(own: WrittenLesson[], recalled: RecalledText[]): RecalledText[] {
  const said = new Set(own.flatMap(({ id, text }) => [id, essence(text)]));
  return recalled.filter(({ id, text }) => {
    const isNew = !said.has(id) && !said.has(essence(text));
    said.add(id).add(essence(text));
    return isNew;
  });
}

/** A text without case, marks and spaces. */
function essence(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
