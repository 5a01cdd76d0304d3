import { z } from 'zod';
import { readForm } from '#lib/core/lesson-form.ts';
import { LESSON_LENGTH, type LessonKind, lessonText } from '#lib/core/lesson-kinds.ts';
import { type StructuredReply, structuredReply } from '#lib/core/structured-reply.ts';
import { MOST_ENTRIES } from './retrospective-prompt.ts';

/** A lesson of a retrospective, before it is stored. */
export type RetrospectiveLesson = { kind: LessonKind; fields: Record<string, string>; text: string };

/** What a retrospective holds; `leftOut` counts entries that were not in their form, and those beyond what a list may have. */
export type ReadRetrospective = { lessons: RetrospectiveLesson[]; leftOut: number };

const LISTS = {
  skills: 'skill_card',
  failures: 'failure_pattern',
  policies: 'tool_policy',
  observations: 'episodic_case',
  principles: 'principle',
  procedures: 'procedure',
  decisions: 'decision',
  preferences: 'user_preference',
} as const satisfies Record<string, LessonKind>;

const entries = z.array(z.unknown());
const tolerantReply = z
  .object({
    skills: entries.optional(),
    failures: entries.optional(),
    policies: entries.optional(),
    observations: entries.optional(),
    principles: entries.optional(),
    procedures: entries.optional(),
    decisions: entries.optional(),
    preferences: entries.optional(),
  })
  .refine((reply) => Object.values(reply).some((list) => list !== undefined), {
    error: `lacks every list of ${Object.keys(LISTS).join(', ')}`,
  });

/**
 * Reads the lessons out of a retrospective's reply: the whole text as JSON, else a block in it. A reply without any of the lists, or
 * with nothing but entries that are not in their form, cannot be used; one whose lists are all empty teaches nothing, and is fine.
 */
export function readRetrospective(reply: string): StructuredReply<ReadRetrospective> {
  const read = structuredReply(reply, tolerantReply);
  if (!read.ok) return read;
  const lists = Object.entries(LISTS).flatMap(([name, kind]) => {
    const list = Object.entries(read.value).find(([key]) => key === name)?.[1] ?? [];
    return list.map((entry, place) => (place < MOST_ENTRIES ? lessonOf(kind, entry) : null));
  });
  const lessons = lists.filter((lesson) => lesson !== null);
  if (lists.length > 0 && lessons.length === 0)
    return { ok: false, reason: `none of its ${lists.length} entries is in the form asked for` };
  return { ok: true, value: { lessons, leftOut: lists.length - lessons.length } };
}

const anyObject = z.record(z.string(), z.unknown());

function lessonOf(kind: LessonKind, entry: unknown): RetrospectiveLesson | null {
  if (kind === 'principle' || kind === 'user_preference') {
    const text = typeof entry === 'string' ? entry.trim().slice(0, LESSON_LENGTH).toWellFormed() : '';
    return text === '' ? null : { kind, fields: {}, text };
  }
  const object = anyObject.safeParse(entry);
  const fields = object.success ? readForm(kind, withPattern(kind, object.data)) : null;
  if (fields === null) return null;
  return { kind, fields, text: lessonText(kind, fields).slice(0, LESSON_LENGTH).toWellFormed() };
}

/** A failure without a pattern is known by what happened, as in Retroformer's own extraction. */
function withPattern(kind: LessonKind, entry: Record<string, unknown>): Record<string, unknown> {
  const isMissing = typeof entry.pattern !== 'string' || entry.pattern.trim() === '';
  if (kind !== 'failure_pattern' || !isMissing) return entry;
  return { ...entry, pattern: entry.whatHappened ?? entry.what_happened };
}
