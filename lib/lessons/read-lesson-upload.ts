import { z } from 'zod';
import { fail, type Result } from '#lib/core/problem.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { readJsonItems } from '#lib/formats/read-json-items.ts';
import { readLines, readText } from '#lib/formats/read-lines.ts';
import { MAX_DEPTH, parseInput } from '#lib/input/parse-input.ts';
import { type ExchangedLesson, readLessonLine } from '#lib/lessons/exchange/exchanged-lesson.ts';
import { readLessonMarkdown } from '#lib/lessons/exchange/read-lesson-markdown.ts';
import { readTar } from './tar-files.ts';

/** The most bytes of an upload. */
export const LESSON_UPLOAD_BYTES = 50_000_000;
/** The most lessons that come in at once. */
export const MOST_LESSONS = 20_000;
/** Of one line of JSONL: more than the longest lesson takes with all of its characters escaped. */
const LINE_LENGTH = 500_000;
/** Of JSONL that stands in a JSON body; JSONL as a body of its own is read line by line. */
const TEXT_LENGTH = 5_000_000;
/** Of one Markdown file. */
const FILE_LENGTH = 100_000;
const PATH_LENGTH = 1_000;

const fileSchema = z.strictObject({ path: z.string().max(PATH_LENGTH), text: z.string().max(FILE_LENGTH) });

/** Lessons of another library as a JSON body: JSON Lines, or Markdown files by the paths they had. */
export const lessonImportSchema = z.discriminatedUnion('format', [
  z.strictObject({ format: z.literal('jsonl'), text: z.string().max(TEXT_LENGTH) }),
  z.strictObject({ format: z.literal('markdown'), files: z.array(fileSchema).max(MOST_LESSONS) }),
]);

/** JSON Lines, one Markdown file, a tar archive of such files, or JSON that holds one of these (`lessonImportSchema`). */
export type LessonUpload = { format: 'jsonl' | 'markdown' | 'tar' | 'json'; bytes: AsyncIterable<Uint8Array> };

/** The lessons of an upload as it is read, never more than one of them in memory; the first problem ends it. */
export function readLessonUpload({ format, bytes }: LessonUpload): AsyncGenerator<Result<ExchangedLesson>> {
  switch (format) {
    case 'jsonl':
      return fromLines(bytes);
    case 'markdown':
      return fromMarkdown(bytes);
    case 'tar':
      return fromTar(bytes);
    case 'json':
      return fromJson(bytes);
  }
}

async function* fromLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Result<ExchangedLesson>> {
  const limits = { limitBytes: LESSON_UPLOAD_BYTES, limitCharacters: LINE_LENGTH };
  for await (const read of readLines(bytes, limits)) {
    if (!read.ok) return yield read;
    const { line, text } = read.value;
    if (text.trim() !== '') yield readLessonLine(text, `line ${line}`);
  }
}

async function* fromMarkdown(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Result<ExchangedLesson>> {
  let text = '';
  for await (const read of readText(bytes, LESSON_UPLOAD_BYTES)) {
    if (!read.ok) return yield read;
    text += read.value;
    if (text.length > FILE_LENGTH) break;
  }
  yield lessonOfFile({ path: 'lesson.md', text });
}

async function* fromTar(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Result<ExchangedLesson>> {
  for await (const file of readTar(bytes)) {
    if (!file.ok) return yield file;
    yield lessonOfFile(file.value);
  }
}

function lessonOfFile({ path, text }: { path: string; text: string }): Result<ExchangedLesson> {
  if (path.length > PATH_LENGTH)
    return fail('invalid', `${path.slice(0, 200)}… is a path of more than ${PATH_LENGTH} characters.`);
  if (text.length > FILE_LENGTH)
    return fail(
      'invalid',
      `${path} has more than ${FILE_LENGTH.toLocaleString('en-US')} characters. A file holds one lesson.`,
      path,
    );
  return readLessonMarkdown(path, text);
}

const MEMBERS = ['format', 'text', 'files'];

async function* fromJson(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Result<ExchangedLesson>> {
  const members = new Map<string, unknown>();
  let files = 0;
  for await (const read of readJsonItems(readText(bytes, LESSON_UPLOAD_BYTES), 'files', JSON_LIMITS)) {
    if (!read.ok) return yield read;
    const piece = read.value;
    const value = piece.kind === 'fault' ? null : jsonOf(piece.kind === 'item' ? piece.text : `{${piece.text}}`);
    if (piece.kind === 'fault' || value === null) {
      const { line, column, message } =
        piece.kind === 'fault' ? piece.fault : { ...piece, message: 'this is not JSON' };
      return yield fail('invalid', `line ${line}, column ${column ?? 1}: ${message}.`);
    }
    if (piece.kind === 'item') {
      const file = parseInput(fileSchema, value.json);
      yield file.ok ? lessonOfFile(file.value) : fileProblem(file.problem, files);
      files += 1;
    } else
      for (const [name, member] of Object.entries(Object(value.json))) {
        if (!MEMBERS.includes(name))
          return yield fail(
            'invalid',
            `${name} is not a known setting. Take it out, or look for its right name.`,
            name,
          );
        members.set(name, member);
      }
  }
  if (files > 0 || members.get('format') === 'markdown') members.set('files', members.get('files') ?? []);
  const body = parseInput(lessonImportSchema, Object.fromEntries(members));
  if (!body.ok) return yield body;
  if (body.value.format === 'jsonl') yield* fromLines(inPieces(body.value.text));
}

const JSON_LIMITS = {
  limitCharacters: 6 * TEXT_LENGTH,
  limitDepth: MAX_DEPTH,
  wanted: 'an object with format and files, or format and text',
  tooLong: '; send JSON Lines as application/jsonl, or the files as a tar archive',
};

function jsonOf(text: string): { json: unknown } | null {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return null;
  }
}

function fileProblem({ message, field }: { message: string; field: string | null }, place: number) {
  const at = `files.${place}`;
  return field === null
    ? fail('invalid', `${at}: ${message}`, at)
    : fail('invalid', `${at}.${message}`, `${at}.${field}`);
}

const PIECE_LENGTH = 50_000;

async function* inPieces(text: string): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const clean = cleanText(text);
  for (let from = 0; from < clean.length; ) {
    const last = clean.charCodeAt(from + PIECE_LENGTH - 1);
    // A surrogate pair is not parted.
    const to = from + PIECE_LENGTH + (last >= 0xd800 && last <= 0xdbff ? 1 : 0);
    yield encoder.encode(clean.slice(from, to));
    from = to;
  }
}
