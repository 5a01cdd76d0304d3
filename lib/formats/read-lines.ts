import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { yieldToOthers } from '#lib/system/concurrency.ts';

/** A line of a text: its number from 1, and its text without the line break. */
export type Line = { line: number; text: string };

type Limits = {
  /** Maximum total size in bytes. */
  limitBytes: number;
  /** Maximum characters of one line. */
  limitCharacters: number;
};

/**
 * Streams the lines of a UTF-8 text, with at most one line and one chunk in memory. A byte order mark is removed. Lines end with `\n` or
 * `\r\n`. Empty lines are skipped but counted. Ends with a problem if the text is too large (`too_large`), is not UTF-8, or has a line that
 * is too long (both `invalid`, with the line as field).
 */
export async function* readLines(bytes: AsyncIterable<Uint8Array>, limits: Limits): AsyncGenerator<Result<Line>> {
  let line = 0;
  let rest = '';
  const texts = readText(bytes, limits.limitBytes);
  for await (const read of texts) {
    if (!read.ok) return yield read;
    // Search only the new chunk, because a long line arrives in many chunks.
    const parts = read.value.split('\n');
    parts[0] = rest + parts[0];
    rest = parts.pop() ?? '';
    for (const part of parts) {
      line += 1;
      if (part.length > limits.limitCharacters) return yield tooLong(line, limits.limitCharacters);
      const text = withoutReturn(part);
      if (text !== '') yield succeed({ line, text });
    }
    if (rest.length > limits.limitCharacters)
      return yield (await findTooLarge(texts)) ?? tooLong(line + 1, limits.limitCharacters);
  }
  const last = withoutReturn(rest);
  if (last !== '') yield succeed({ line: line + 1, text: last });
}

/** Returns a line without the carriage return at its end. */
export function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/**
 * Streams a UTF-8 text in chunks, without a byte order mark. Ends with a problem at more than `limitBytes` (`too_large`), or at bytes that
 * are not UTF-8 (`invalid`, with the line as field). Decoding another encoding would store corrupted text.
 */
export async function* readText(bytes: AsyncIterable<Uint8Array>, limitBytes: number): AsyncGenerator<Result<string>> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const yielding = yieldToOthers();
  let length = 0;
  let line = 1;
  let start = '';
  for await (const chunk of bytes) {
    await yielding();
    const binary = length === 0 ? findBinaryFormat(chunk) : null;
    if (binary !== null) return yield fail('invalid', `${binary} Nothing was stored.`);
    length += chunk.byteLength;
    if (length > limitBytes)
      return yield fail(
        'too_large',
        `The text is larger than ${limitBytes / 1_000_000} MB, the maximum. Nothing was stored.`,
      );
    const text = decoded(() => decoder.decode(chunk, { stream: true }));
    if (text === null) return yield notUtf8(line + linesBeforeFault(chunk));
    // UTF-16 without a byte order mark is valid UTF-8 with a NUL in each pair of bytes.
    if (start.length < 2) start += text.slice(0, 2 - start.length);
    if (start.includes('\0')) return yield notUtf8(1);
    line += countLineEnds(text);
    if (text !== '') yield succeed(text);
  }
  if (decoded(() => decoder.decode()) === null) yield notUtf8(line);
}

/** The first characters of files that are not text, and what to do with such a file. */
const BINARY_FORMATS: readonly [start: string, message: string][] = [
  [
    'PAR1',
    'This is a Parquet file. Convert it to JSONL, for example with pandas: read_parquet("x.parquet").to_json("x.jsonl", orient="records", lines=True).',
  ],
  [
    'PK\x03\x04',
    'This is a ZIP file, or one of a program that uses ZIP. Save a spreadsheet as "CSV UTF-8", convert a log of Inspect with inspect log dump, or unpack the file.',
  ],
  ['\x1f\x8b', 'This file is compressed with gzip. Unpack it.'],
];

function findBinaryFormat(beginning: Uint8Array): string | null {
  const text = Buffer.from(beginning.subarray(0, 4)).toString('latin1');
  return BINARY_FORMATS.find(([start]) => text.startsWith(start))?.[1] ?? null;
}

function decoded(decode: () => string): string | null {
  try {
    return decode();
  } catch {
    return null;
  }
}

/** Counts line breaks before the first invalid byte. Lenient decoding replaces that byte with U+FFFD. */
function linesBeforeFault(chunk: Uint8Array): number {
  return countLineEnds(new TextDecoder().decode(chunk).split('\uFFFD', 1)[0] ?? '');
}

function countLineEnds(text: string): number {
  return text.split('\n').length - 1;
}

function notUtf8(line: number): Result<never> {
  return fail(
    'invalid',
    `line ${line} is not UTF-8 text. Save the file as UTF-8 (in a spreadsheet: "CSV UTF-8") and send it again. Nothing was stored.`,
    `line ${line}`,
  );
}

/** Discards the rest. If the whole text is too large, returns that problem, which is more useful than the current one. */
export async function findTooLarge(texts: AsyncIterable<Result<string>>): Promise<Result<never> | null> {
  for await (const text of texts) if (!text.ok) return text;
  return null;
}

function tooLong(line: number, limit: number): Result<never> {
  return fail(
    'invalid',
    `line ${line} is longer than ${limit.toLocaleString('en-US')} characters. Nothing was stored.`,
    `line ${line}`,
  );
}
