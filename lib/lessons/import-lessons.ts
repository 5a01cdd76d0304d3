import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { type Actor, personOf } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { parseJson } from '#lib/core/json-values.ts';
import { fail, type Problem, type Result, succeed } from '#lib/core/problem.ts';
import { lockUntilCommit } from '#lib/database/locks.ts';
import { cleanText } from '#lib/database/query-values.ts';
import type { ImportFault } from '#lib/formats/import-report.ts';
import { readJsonItems } from '#lib/formats/read-json-items.ts';
import { readLines, readText } from '#lib/formats/read-lines.ts';
import { openSpool, type Spool, type SpooledSpan } from '#lib/formats/spool.ts';
import { readTar } from '#lib/formats/tar.ts';
import { MAX_DEPTH, parseInput } from '#lib/input/parse-input.ts';
import { type ExchangedLesson, readLessonLine } from '#lib/lessons/exchange/exchanged-lesson.ts';
import { readLessonMarkdown } from '#lib/lessons/exchange/lesson-markdown.ts';
import { insertLessons, type NewLesson } from './add-lesson.ts';
import { redactParts, redactScope } from './redact-lesson.ts';
import { presentLessons } from './write-queries.ts';

/** Number of lessons stored per statement. */
const AT_ONCE = 200;

/** Time limits for a large import, including waiting for a previous import. */
const LARGE = { maxWait: 15_000, timeout: 30 * 60_000 };

/** `present`: already in the library, or duplicate within the import. */
type ImportedLessons = { stored: number; present: number };

/**
 * Imports lessons of another library as candidates, whatever their previous status. They are redacted before they are stored, and screened
 * later by the worker. Existing lessons are not duplicated. The import is atomic, and a faulty line or file is reported. At most one lesson
 * is in memory while reading, and one batch while storing. A database connection is used only while storing.
 */
export async function importLessons(
  context: AppContext,
  actor: Actor,
  upload: LessonUpload,
): Promise<Result<ImportedLessons>> {
  const spool = await openSpool();
  try {
    const gathered = await gather(context, actor, upload, spool);
    if (!gathered.ok) return gathered;
    const { count, spans } = gathered.value;
    return await context.database.prisma.$transaction(async (transaction) => {
      // Imports run one at a time, so that the second of two with the same lessons finds them stored.
      await lockUntilCommit(transaction, 'import-lessons');
      let stored = 0;
      for (let from = 0; from < spans.length; from += AT_ONCE) {
        const texts = await spool.read(spans.slice(from, from + AT_ONCE));
        const lessons = texts.map((text): NewLesson => JSON.parse(text));
        const present = await presentLessons(transaction, lessons.map(identityOf));
        const fresh = lessons.filter((_lesson, index) => !present.has(index));
        await insertLessons(transaction, fresh);
        stored += fresh.length;
      }
      const change = { stored, present: count - stored };
      await recordChange(transaction, actor, { act: 'imported', subject: { kind: 'lesson' }, change });
      return succeed(change);
    }, LARGE);
  } finally {
    await spool.close();
  }
}

/**
 * Spools the lessons of an upload that are not duplicates. `count` includes the duplicates. Of several duplicates, the
 * oldest that is not archived counts, else the oldest, because an export also contains the newer lessons that were merged into it.
 */
async function gather(
  context: AppContext,
  actor: Actor,
  upload: LessonUpload,
  spool: Spool,
): Promise<Result<{ count: number; spans: SpooledSpan[] }>> {
  const now = context.now().toISOString();
  const read = new Set<string>();
  /** The lessons to store by identity, each with its precedence. */
  const gathered = new Map<string, { precedence: string; span: SpooledSpan }>();
  let count = 0;
  for await (const line of READERS[upload.format](upload.bytes)) {
    if (!line.ok) return refusal(line.problem);
    count += 1;
    if (count > MAX_IMPORTED_LESSONS)
      return fail(
        'too_large',
        `At most ${MAX_IMPORTED_LESSONS.toLocaleString('en-US')} lessons can be imported at once. Nothing was stored. Split them into several imports.`,
      );
    // Redacting a lesson takes milliseconds, so other requests are served in between.
    await nextTurn();
    const digest = digestOf(line.value);
    if (read.has(digest)) continue;
    read.add(digest);
    const lesson = await newLesson(context, actor, line.value, now);
    const identity = digestOf(identityOf(lesson));
    const precedence = `${line.value.status === 'archived' ? 1 : 0} ${lesson.createdAt}`;
    const other = gathered.get(identity);
    if (other !== undefined && other.precedence <= precedence) continue;
    gathered.set(identity, { precedence, span: await spool.add(JSON.stringify(lesson)) });
  }
  if (count === 0) return fail('invalid', 'It contains no lessons. Nothing was stored.');
  return succeed({ count, spans: [...gathered.values()].map(({ span }) => span) });
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64');
}

function refusal({ code, message, field }: Problem) {
  return fail(code, message.endsWith(NOTHING) ? message : `${message} ${NOTHING}`, field);
}

const NOTHING = 'Nothing was stored.';

async function newLesson(context: AppContext, actor: Actor, lesson: ExchangedLesson, now: string): Promise<NewLesson> {
  const { kind, block, agent, taskType, tools, sourceScore } = lesson;
  const { found, ...clean } = await redactParts(lesson);
  const scope = await redactScope({ agent, taskType, tools });
  const outcome = found.length === 0 ? 'clear' : 'redacted';
  return {
    ...{ id: context.newId(), kind, block, sourceScore, ...clean, scope },
    ...{ admission: 'waiting', runId: null, version: null, createdBy: 'import' },
    // The importing person counts as author, because the text may be their own.
    authorId: personOf(actor),
    createdAt: lesson.createdAt === null || lesson.createdAt > now ? now : lesson.createdAt,
    checks: [{ kind: 'redact', outcome, found, edit: 0, createdAt: now }],
  };
}

function identityOf({ kind, text, block, scope: { agent, taskType } }: NewLesson) {
  return { kind, text, block, agent, taskType };
}

/** Maximum size of an upload in bytes. */
export const LESSON_UPLOAD_BYTES = 50_000_000;
const MAX_IMPORTED_LESSONS = 20_000;
/** Maximum length of a JSONL line. Greater than the longest lesson with all characters escaped. */
const LINE_LENGTH = 500_000;
/** Maximum length of JSONL inside a JSON body. JSONL sent as the body is read line by line. */
const TEXT_LENGTH = 5_000_000;
/** Maximum length of a Markdown file. */
const FILE_LENGTH = 100_000;
const PATH_LENGTH = 1_000;

const fileSchema = z.strictObject({ path: z.string().max(PATH_LENGTH), text: z.string().max(FILE_LENGTH) });

/** Lessons of another library as a JSON body: JSON Lines, or Markdown files by path. */
export const lessonImportSchema = z.discriminatedUnion('format', [
  z.strictObject({ format: z.literal('jsonl'), text: z.string().max(TEXT_LENGTH) }),
  z.strictObject({ format: z.literal('markdown'), files: z.array(fileSchema).max(MAX_IMPORTED_LESSONS) }),
]);

/** JSON Lines, one Markdown file, a tar archive of such files, or JSON that contains one of these (`lessonImportSchema`). */
export type LessonUpload = { format: 'jsonl' | 'markdown' | 'tar' | 'json'; bytes: AsyncIterable<Uint8Array> };

type ReadLessons = AsyncGenerator<Result<ExchangedLesson>>;

/** Streams the lessons of an upload in each format, with at most one of them in memory. They end at the first problem. */
const READERS: Record<LessonUpload['format'], (bytes: AsyncIterable<Uint8Array>) => ReadLessons> = {
  async *jsonl(bytes) {
    const limits = { limitBytes: LESSON_UPLOAD_BYTES, limitCharacters: LINE_LENGTH };
    for await (const read of readLines(bytes, limits)) {
      if (!read.ok) return yield read;
      const { line, text } = read.value;
      if (text.trim() !== '') yield readLessonLine(text, `line ${line}`);
    }
  },
  async *markdown(bytes) {
    let text = '';
    for await (const read of readText(bytes, LESSON_UPLOAD_BYTES)) {
      if (!read.ok) return yield read;
      text += read.value;
      if (text.length > FILE_LENGTH) break;
    }
    yield lessonOfFile({ path: 'lesson.md', text });
  },
  async *tar(bytes) {
    for await (const file of readTar(bytes)) {
      if (!file.ok) return yield file;
      yield lessonOfFile(file.value);
    }
  },
  json: fromJson,
};

async function* fromJson(bytes: AsyncIterable<Uint8Array>): ReadLessons {
  const members = new Map<string, unknown>();
  let files = 0;
  for await (const read of readJsonItems(readText(bytes, LESSON_UPLOAD_BYTES), 'files', JSON_LIMITS)) {
    if (!read.ok) return yield read;
    const piece = read.value;
    if (piece.kind === 'list') continue;
    if (piece.kind === 'fault') return yield jsonProblem(piece.fault);
    const value = parseJson(piece.kind === 'item' ? piece.text : `{${piece.text}}`);
    if (value === undefined) return yield jsonProblem({ ...piece, message: 'this is not JSON' });
    if (piece.kind === 'item') {
      yield lessonOfItem(value, files);
      files += 1;
      continue;
    }
    const given = Object.entries(Object(value));
    const unknown = given.find(([name]) => !MEMBERS.includes(name))?.[0];
    if (unknown !== undefined)
      return yield fail('invalid', `${unknown} is not a known setting. Remove it, or check its name.`, unknown);
    for (const [name, member] of given) members.set(name, member);
  }
  yield* lessonsOfMembers(members, files > 0);
}

/** Checks the members of the object, and reads their lessons, except the files that were already read. */
async function* lessonsOfMembers(members: Map<string, unknown>, hasFiles: boolean): ReadLessons {
  if (hasFiles || members.get('format') === 'markdown') members.set('files', members.get('files') ?? []);
  const body = parseInput(lessonImportSchema, Object.fromEntries(members));
  if (!body.ok) return yield body;
  if (body.value.format === 'jsonl') yield* READERS.jsonl(new Blob([cleanText(body.value.text)]).stream());
}

const MEMBERS = ['format', 'text', 'files'];

function lessonOfItem(value: unknown, index: number): Result<ExchangedLesson> {
  const file = parseInput(fileSchema, value);
  return file.ok ? lessonOfFile(file.value) : fileProblem(file.problem, index);
}

function lessonOfFile({ path, text }: { path: string; text: string }): Result<ExchangedLesson> {
  if (path.length > PATH_LENGTH)
    return fail('invalid', `${path.slice(0, 200)}… is a path of more than ${PATH_LENGTH} characters.`);
  if (text.length > FILE_LENGTH)
    return fail(
      'invalid',
      `${path} has more than ${FILE_LENGTH.toLocaleString('en-US')} characters. A file can contain only one lesson.`,
      path,
    );
  return readLessonMarkdown(path, text);
}

function jsonProblem({ line, column, message }: Pick<ImportFault, 'line' | 'column' | 'message'>): Result<never> {
  return fail('invalid', `line ${line}, column ${column ?? 1}: ${message}.`);
}

const JSON_LIMITS = {
  limitCharacters: 6 * TEXT_LENGTH,
  limitDepth: MAX_DEPTH,
  wanted: 'an object with format and files, or format and text',
  tooLong: ' Send JSON Lines as application/jsonl, or the files as a tar archive.',
};

function fileProblem({ message, field }: { message: string; field: string | null }, index: number) {
  const at = `files.${index}`;
  return field === null
    ? fail('invalid', `${at}: ${message}`, at)
    : fail('invalid', `${at}.${message}`, `${at}.${field}`);
}
