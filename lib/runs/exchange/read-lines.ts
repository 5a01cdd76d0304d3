import { fail, type Result, succeed } from '#lib/reflection/problem.ts';

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
 * and `\r\n` end a line; empty lines are counted and given. Bytes that are not UTF-8 become U+FFFD. A text that is too large
 * (`too_large`) or has a line that is too long (`invalid`, with the line as its field) ends with that problem.
 */
export async function* readLines(bytes: AsyncIterable<Uint8Array>, limits: Limits): AsyncGenerator<Result<Line>> {
  let line = 0;
  let rest = '';
  const texts = readText(bytes, limits.limitBytes);
  for await (const read of texts) {
    if (!read.ok) return yield read;
    const parts = (rest + read.value).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      line += 1;
      if (part.length > limits.limitCharacters) return yield tooLong(line, limits.limitCharacters);
      yield succeed({ line, text: part.endsWith('\r') ? part.slice(0, -1) : part });
    }
    if (rest.length > limits.limitCharacters)
      return yield (await findTooLarge(texts)) ?? tooLong(line + 1, limits.limitCharacters);
  }
  if (rest !== '') yield succeed({ line: line + 1, text: rest.endsWith('\r') ? rest.slice(0, -1) : rest });
}

/** A UTF-8 text in the pieces it arrives in, without a byte order mark; a `too_large` problem ends it. */
export async function* readText(bytes: AsyncIterable<Uint8Array>, limitBytes: number): AsyncGenerator<Result<string>> {
  const decoder = new TextDecoder();
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.byteLength;
    if (length > limitBytes)
      return yield fail(
        'too_large',
        `The text is larger than ${limitBytes / 1_000_000} MB, which is the most that is taken. Nothing was stored.`,
      );
    const text = decoder.decode(chunk, { stream: true });
    if (text !== '') yield succeed(text);
  }
  const last = decoder.decode();
  if (last !== '') yield succeed(last);
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
