import Papa from 'papaparse';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { findTooLarge, withoutReturn } from './read-lines.ts';

/** A record of a CSV text: the line it begins on, from 1, and its cells. `fault` is set if its quotes are invalid. */
type CsvRecord = { line: number; cells: string[]; fault: string | null };

const LONE_RETURNS = 'its lines end with carriage returns only. Save the file with LF or CRLF line endings';
const UNCLOSED = 'a quoted cell is not closed. Add the closing quote';
const QUOTE_FAULTS: Partial<Record<Papa.ParseError['code'], string>> = {
  InvalidQuotes: 'a quoted cell ends before its text does. Double the quotes inside of it: ""',
};
const NAMED_DELIMITER = /^sep=([,;\t|])$/i;
const QUOTE = 34;
const LINE_FEED = 10;

/**
 * Streams the records of a CSV text. Empty lines are skipped but counted. Quoted cells may contain line breaks. The delimiter (comma,
 * semicolon, tab or bar) is detected from the header line, or named by a line before it such as `sep=;`, as in Excel. Ends at a record
 * longer than `limitCharacters`, usually caused by an unclosed quote.
 */
export async function* readCsvRecords(
  texts: AsyncIterable<Result<string>>,
  limitCharacters: number,
): AsyncGenerator<Result<CsvRecord>> {
  const splitter = new RecordSplitter();
  for await (const text of texts) {
    if (!text.ok) return yield text;
    for (const record of splitter.split(text.value)) yield succeed(record);
    if (splitter.rest.length > limitCharacters)
      return yield (await findTooLarge(texts)) ??
        fail(
          'invalid',
          `line ${splitter.line}: this row is longer than ${limitCharacters.toLocaleString('en-US')} characters. Check for a missing closing quote. Nothing was stored.`,
          `line ${splitter.line}`,
        );
  }
  const last = splitter.rest === '' ? null : splitter.take(splitter.rest);
  if (last !== null) yield succeed(last);
}

/** Splits a CSV text that arrives in chunks. */
class RecordSplitter {
  /** The line that the next record begins on, from 1. */
  line = 1;
  /** The text after the last whole record. */
  rest = '';
  #delimiter: string | null = null;
  #scanned = 0;
  /** Number of line breaks inside of quotes. */
  #linesInside = 0;
  #isQuoted = false;
  #startsCell = true;

  /** Yields the records that end in the next chunk. */
  *split(chunk: string): Generator<CsvRecord> {
    this.rest += chunk;
    let start = 0;
    for (; this.#scanned < this.rest.length; this.#scanned++) {
      if (!this.#endsRecord(this.rest.charCodeAt(this.#scanned))) continue;
      const record = this.take(this.rest.slice(start, this.#scanned));
      if (record !== null) yield record;
      start = this.#scanned + 1;
    }
    this.rest = this.rest.slice(start);
    this.#scanned -= start;
  }

  /** Returns true if a character is the line break after a record. */
  #endsRecord(code: number): boolean {
    if (code === QUOTE && (this.#isQuoted || this.#startsCell)) {
      // A doubled quote closes and reopens the cell.
      this.#isQuoted = !this.#isQuoted;
      this.#startsCell ||= !this.#isQuoted;
      return false;
    }
    const isEnd = code === LINE_FEED && !this.#isQuoted;
    if (code === LINE_FEED && this.#isQuoted) this.#linesInside += 1;
    this.#startsCell = isEnd || isDelimiter(String.fromCharCode(code), this.#delimiter);
    return isEnd;
  }

  /** Parses a record. Returns null for an empty line and for one that names the delimiter. */
  take(record: string): CsvRecord | null {
    const text = withoutReturn(record);
    if (this.#delimiter === null && text.includes('\r')) return { line: this.line, cells: [], fault: LONE_RETURNS };
    const named = this.#delimiter === null ? NAMED_DELIMITER.exec(text)?.[1] : undefined;
    this.#delimiter ??= named ?? delimiterOf(text);
    const read = cellsOf(text, this.#delimiter, this.line);
    this.line += this.#linesInside + 1;
    this.#linesInside = 0;
    return text.trim() === '' || named !== undefined ? null : read;
  }
}

function cellsOf(text: string, delimiter: string, line: number): CsvRecord {
  if (!text.includes('"')) return { line, cells: text.split(delimiter), fault: null };
  const { data, errors } = Papa.parse<string[]>(text, { delimiter, newline: '\n' });
  const code = errors[0]?.code;
  return { line, cells: data[0] ?? [], fault: code === undefined ? null : (QUOTE_FAULTS[code] ?? UNCLOSED) };
}

/** Detects the delimiter from the header line. With a single column, any delimiter works. */
function delimiterOf(head: string): string {
  const bare = head.replaceAll(/"[^"]*"/g, '');
  const counts = [',', ';', '\t', '|'].map((sign) => ({ sign, count: bare.split(sign).length }));
  return counts.reduce((most, next) => (next.count > most.count ? next : most)).sign;
}

function isDelimiter(sign: string, delimiter: string | null): boolean {
  return delimiter === null ? [',', ';', '\t', '|'].includes(sign) : sign === delimiter;
}
