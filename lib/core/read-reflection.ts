import { z } from 'zod';
import { readForm } from './lesson-form.ts';
import { LESSON_FIELDS, LESSON_LENGTH, lessonText, type ReflectionKind } from './lesson-kinds.ts';
import { structuredReply } from './structured-reply.ts';

/** A reflection that was read: its fields and the text they make; or why it could not be, in words for people. */
export type ReadReflection = { ok: true; fields: Record<string, string>; text: string } | { ok: false; reason: string };

const anyObject = z.record(z.string(), z.unknown());

/** Reads a reflection in a kind's form out of a model's reply. */
export function readReflection(kind: ReflectionKind, reply: string): ReadReflection {
  const schema = anyObject.refine((given) => readForm(kind, given) !== null, {
    error: `lacks ${LESSON_FIELDS[kind]
      .filter(({ required }) => required)
      .map(({ name }) => name)
      .join(', ')}`,
  });
  const read = structuredReply(reply, schema);
  if (!read.ok) return read;
  const fields = readForm(kind, read.value) ?? {};
  return { ok: true, fields, text: lessonText(kind, fields).slice(0, LESSON_LENGTH).toWellFormed() };
}
