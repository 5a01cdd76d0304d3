import type { LessonFields, LessonScope, RedactionCount } from '#lib/core/lesson-library.ts';
import {
  LESSON_FIELDS,
  LESSON_LENGTH,
  type LessonKind,
  lessonText,
  SOURCE_INPUT_LENGTH,
} from '#lib/core/lesson-schema.ts';
import { redactLesson } from './redact-lesson.ts';

/** The free-text parts of a lesson. */
export type LessonParts = { kind: LessonKind; text: string; fields: LessonFields; sourceInput: string };

/**
 * Redacts a lesson, and returns the number of redactions by kind. Fields are redacted separately, and the text of a lesson with fields is
 * rebuilt from them. The result never exceeds the limits of a lesson.
 */
export async function redactParts(
  parts: LessonParts,
): Promise<{ text: string; fields: LessonFields; sourceInput: string; found: RedactionCount[] }> {
  const found: RedactionCount[] = [];
  const redacted = async (text: string, length: number) => {
    const { text: clean, findings } = await redactLesson(text);
    for (const finding of findings) add(found, finding);
    return clean.slice(0, length);
  };
  const fields: LessonFields = {};
  for (const [name, value] of Object.entries(parts.fields)) fields[name] = await redacted(value, LESSON_LENGTH);
  const text = isForm(parts) ? lessonText(parts.kind, fields) : await redacted(parts.text, LESSON_LENGTH);
  // Cut after redaction, because half a secret would not be detected.
  const sourceInput = await redacted(parts.sourceInput, SOURCE_INPUT_LENGTH);
  return { text, fields, sourceInput, found };
}

/** Redacts the names in a lesson's scope, because they appear in lists, filters and exports. */
export async function redactScope({ agent, taskType, tools }: LessonScope): Promise<LessonScope> {
  const redacted = async (name: string) => (await redactLesson(name)).text;
  return {
    agent: agent === null ? null : await redacted(agent),
    taskType: taskType === null ? null : await redacted(taskType),
    tools: await Promise.all(tools.map(redacted)),
  };
}

/** Returns true if the text is built from the fields. */
function isForm({ kind, fields }: LessonParts): boolean {
  return LESSON_FIELDS[kind].some(({ name }) => fields[name] !== undefined);
}

function add(found: RedactionCount[], { kind, count }: RedactionCount): void {
  const known = found.find((other) => other.kind === kind);
  if (known === undefined) found.push({ kind, count });
  else known.count += count;
}

/** Maximum number of input characters that are scanned. */
const MAX_SCANNED_INPUT_LENGTH = 20_000;

/**
 * Returns the beginning of a run's input to store with a lesson. It is redacted before it is cut, because half a secret would not be
 * detected.
 */
export async function redactedExcerpt(input: string): Promise<string> {
  const { text } = await redactLesson(input.slice(0, MAX_SCANNED_INPUT_LENGTH));
  return text.slice(0, SOURCE_INPUT_LENGTH).toWellFormed();
}
