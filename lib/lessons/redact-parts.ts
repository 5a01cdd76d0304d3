import type { LessonFields, LessonScope, RedactionCount } from '#lib/core/lesson-library.ts';
import { LESSON_FIELDS, LESSON_LENGTH, type LessonKind, lessonText } from '#lib/core/lesson-schema.ts';
import { redactLesson } from './redact-lesson.ts';

/** How much of the input a lesson keeps to be found by. */
const SOURCE_INPUT_LENGTH = 200;

/** The parts of a lesson that hold free text. */
export type LessonParts = { kind: LessonKind; text: string; fields: LessonFields; sourceInput: string };

/**
 * A lesson without what must not be kept, and how much of each kind was taken out of it. Fields are redacted one by one, and the text of
 * a lesson with fields is made of them again. Nothing grows past what a lesson may hold.
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
  // Cut only afterwards: half a secret would not be known for one.
  const sourceInput = await redacted(parts.sourceInput, SOURCE_INPUT_LENGTH);
  return { text, fields, sourceInput, found };
}

/** Names that say where a lesson is for, without what must not be kept: they stand in lists, filters and exports. */
export async function redactScope({ agent, taskType, tools }: LessonScope): Promise<LessonScope> {
  const redacted = async (name: string) => (await redactLesson(name)).text;
  return {
    agent: agent === null ? null : await redacted(agent),
    taskType: taskType === null ? null : await redacted(taskType),
    tools: await Promise.all(tools.map(redacted)),
  };
}

/** Whether its text is made of its fields. */
function isForm({ kind, fields }: LessonParts): boolean {
  return LESSON_FIELDS[kind].some(({ name }) => fields[name] !== undefined);
}

function add(found: RedactionCount[], { kind, count }: RedactionCount): void {
  const known = found.find((other) => other.kind === kind);
  if (known === undefined) found.push({ kind, count });
  else known.count += count;
}

/** How much of an input is looked through, in characters. */
const LOOKED_THROUGH = 20_000;

/** The beginning of a run's input as a lesson learned from it may keep it: redacted, and only then cut, as half a secret is not known for one. */
export async function learnedFrom(input: string): Promise<string> {
  const { text } = await redactLesson(input.slice(0, LOOKED_THROUGH));
  return text.slice(0, SOURCE_INPUT_LENGTH);
}
