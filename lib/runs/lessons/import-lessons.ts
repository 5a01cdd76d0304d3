import { z } from 'zod';
import { inTransaction } from '#lib/db/in-transaction.ts';
import { insertLessons, type NewLesson, presentLessons, takeTurnToImport } from '#lib/db/insert-lessons.ts';
import type { ExchangedLesson } from '#lib/lessons/exchange/exchanged-lesson.ts';
import { readLessonLines } from '#lib/lessons/exchange/lesson-lines.ts';
import { readLessonMarkdown } from '#lib/lessons/exchange/read-lesson-markdown.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import { recordChange } from '#lib/team/audit/record-change.ts';
import type { Actor } from '#lib/team/authorize.ts';
import { personOf } from '#lib/team/person-of.ts';
import { parseInput } from '../parse-input.ts';
import type { Workshop } from '../workshop.ts';
import { redactParts } from './redact-parts.ts';

/** Most lessons that come in at once. */
const MOST_LESSONS = 20_000;
/** Characters of all lines, and of one Markdown file. */
const LINES_LENGTH = 50_000_000;
const FILE_LENGTH = 100_000;
const PATH_LENGTH = 1_000;
/** How many are redacted, or stored, together. */
const AT_ONCE = 500;

/** Lessons of another library: JSON Lines, or Markdown files by the paths they had. */
export const lessonImportSchema = z.discriminatedUnion('format', [
  z.strictObject({ format: z.literal('jsonl'), text: z.string().max(LINES_LENGTH) }),
  z.strictObject({
    format: z.literal('markdown'),
    files: z
      .array(z.strictObject({ path: z.string().max(PATH_LENGTH), text: z.string().max(FILE_LENGTH) }))
      .max(MOST_LESSONS),
  }),
]);

/** `present`: in the library already, or twice in what came in. */
export type ImportedLessons = { stored: number; present: number };

/**
 * Takes lessons of another library in (`lessonImportSchema`): as candidates, whatever they were there, redacted before they are stored;
 * the worker screens them. One that is there already makes no second copy. A bad line or file is named, and then nothing is stored.
 */
export async function importLessons(
  workshop: Workshop,
  actor: Actor,
  input: unknown,
): Promise<Result<ImportedLessons>> {
  const parsed = parseInput(lessonImportSchema, input);
  if (!parsed.ok) return parsed;
  const read = readLessons(parsed.value);
  if (!read.ok) return fail('invalid', `${read.problem.message} Nothing was stored.`, read.problem.field);
  if (read.value.length === 0) return fail('invalid', 'There is no lesson in it. Nothing was stored.');
  if (read.value.length > MOST_LESSONS)
    return fail('too_large', 'At most 20,000 lessons come in at once. Nothing was stored.');
  const lessons = await redacted(workshop, actor, read.value);
  return inTransaction(workshop.database, async (client) => {
    await takeTurnToImport(client);
    const apart = apartFromEachOther(lessons);
    const present = await presentLessons(client, apart.map(identityOf));
    const fresh = apart.filter((_lesson, place) => !present.has(place));
    for (const part of parts(fresh)) await insertLessons(client, part);
    await recordChange(client, actor, {
      act: 'imported',
      subject: { kind: 'lesson' },
      change: { stored: fresh.length, present: lessons.length - fresh.length },
    });
    return succeed({ stored: fresh.length, present: lessons.length - fresh.length });
  });
}

function readLessons(input: z.output<typeof lessonImportSchema>): Result<ExchangedLesson[]> {
  if (input.format === 'jsonl') return readLessonLines(input.text);
  const lessons: ExchangedLesson[] = [];
  for (const { path, text } of input.files) {
    const read = readLessonMarkdown(path, text);
    if (!read.ok) return read;
    lessons.push(read.value);
  }
  return succeed(lessons);
}

async function redacted(workshop: Workshop, actor: Actor, lessons: ExchangedLesson[]): Promise<NewLesson[]> {
  const now = workshop.now().toISOString();
  const clean: NewLesson[] = [];
  for (const part of parts(lessons))
    clean.push(...(await Promise.all(part.map((lesson) => newLesson(workshop, actor, lesson, now)))));
  return clean;
}

async function newLesson(workshop: Workshop, actor: Actor, lesson: ExchangedLesson, now: string): Promise<NewLesson> {
  const { kind, block, agent, taskType, tools, sourceScore } = lesson;
  const { found, ...clean } = await redactParts(lesson);
  const outcome = found.length === 0 ? ('clear' as const) : ('redacted' as const);
  return {
    ...{ id: workshop.newId(), kind, block, sourceScore, ...clean, scope: { agent, taskType, tools } },
    admission: 'waiting',
    runId: null,
    version: null,
    createdBy: 'import',
    // A person could bring their own text by this door too.
    authorId: personOf(actor),
    createdAt: lesson.createdAt === null || lesson.createdAt > now ? now : lesson.createdAt,
    checks: [{ kind: 'redact', outcome, found, edit: 0, createdAt: now }],
  };
}

function identityOf({ kind, text, block, scope: { agent, taskType } }: NewLesson) {
  return { kind, text, block, agent, taskType };
}

/** Without those that an earlier one repeats. */
function apartFromEachOther(lessons: NewLesson[]): NewLesson[] {
  return [
    ...new Map(lessons.toReversed().map((lesson) => [JSON.stringify(identityOf(lesson)), lesson])).values(),
  ].reverse();
}

function parts<Item>(items: Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / AT_ONCE) }, (_, place) =>
    items.slice(place * AT_ONCE, (place + 1) * AT_ONCE),
  );
}
