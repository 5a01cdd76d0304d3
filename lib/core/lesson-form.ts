import { z } from 'zod';
import { LESSON_FIELDS, LESSON_LENGTH, type LessonKind } from './lesson-kinds.ts';

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
