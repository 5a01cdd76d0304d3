import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { yieldToOthers } from '#lib/system/turns.ts';

/** A line of a text: its number from 1, and what stands on it, without its line end. */
export type Line = { line: number; text: string };

type Limits = {
  /** The most bytes of all lines together. */
  limitBytes: number;
  /** The most characters of one line. */
  limitCharacters: number;
};

/**
 * The lines of a UTF-8 text as its bytes arrive, never more than one line and one chunk in memory. A byte order mark is left out; `\n`
 * and `\r\n` end a line; empty lines are counted and left out. A text that is too large (`too_large`), is not UTF-8 or has a line that is
 * too long (`invalid`, with the line as its field) ends with that problem.
 */
export async function* readLines(bytes: AsyncIterable<Uint8Array>, limits: Limits): AsyncGenerator<Result<Line>> {
  let line = 0;
  let rest = '';
  const texts = readText(bytes, limits.limitBytes);
  for await (const read of texts) {
    if (!read.ok) return yield read;
    // Only what is new is looked through: a long line comes in many pieces.
    const parts = read.value.split('\n');
    parts[0] = rest + parts[0];
    rest = parts.pop() ?? '';
    for (const part of parts) {
      line += 1;
      if (part.length > limits.limitCharacters) return yield tooLong(line, limits.limitCharacters);
      if (part !== '' && part !== '\r') yield succeed({ line, text: part.endsWith('\r') ? part.slice(0, -1) : part });
    }
    if (rest.length > limits.limitCharacters)
      return yield (await findTooLarge(texts)) ?? tooLong(line + 1, limits.limitCharacters);
  }
  if (rest !== '') yield succeed({ line: line + 1, text: rest.endsWith('\r') ? rest.slice(0, -1) : rest });
}

/**
 * A UTF-8 text in the pieces it arrives in, without a byte order mark. More than `limitBytes` (`too_large`) ends it, and so do bytes that
 * are not UTF-8 (`invalid`, with the line as its field): another encoding read as this one would be stored damaged.
 */
export async function* readText(bytes: AsyncIterable<Uint8Array>, limitBytes: number): AsyncGenerator<Result<string>> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const yielding = yieldToOthers();
  let length = 0;
  let line = 1;
  for await (const chunk of bytes) {
    await yielding();
    length += chunk.byteLength;
    if (length > limitBytes)
      return yield fail(
        'too_large',
        `The text is larger than ${limitBytes / 1_000_000} MB, the maximum. Nothing was stored.`,
      );
    const text = decoded(() => decoder.decode(chunk, { stream: true }));
    if (text === null) return yield notUtf8(line + linesBeforeFault(chunk));
    line += countLineEnds(text);
    if (text !== '') yield succeed(text);
  }
  if (decoded(() => decoder.decode()) === null) yield notUtf8(line);
}

function decoded(decode: () => string): string | null {
  try {
    return decode();
  } catch {
    return null;
  }
}

/** Line ends before the first byte that is no UTF-8: where it is read leniently, that stands as U+FFFD. */
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

/** Reads on, keeping nothing: that all of it is too large says more than that it can't be read. Null where it is not. */
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
