import Papa from 'papaparse';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { findTooLarge } from './read-lines.ts';

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
  let delimiter: string | null = null;
  let pending = '';
  let scanned = 0;
  let line = 1;
  let lines = 0;
  let isQuoted = false;
  let startsCell = true;
  function take(record: string): CsvRecord | null {
    const text = record.endsWith('\r') ? record.slice(0, -1) : record;
    if (delimiter === null && text.includes('\r')) return { line, cells: [], fault: LONE_RETURNS };
    const named = delimiter === null ? NAMED_DELIMITER.exec(text)?.[1] : undefined;
    delimiter ??= named ?? delimiterOf(text);
    const read = cellsOf(text, delimiter, line);
    line += lines + 1;
    lines = 0;
    return text.trim() === '' || named !== undefined ? null : read;
  }
  for await (const text of texts) {
    if (!text.ok) return yield text;
    pending += text.value;
    let start = 0;
    for (; scanned < pending.length; scanned++) {
      const code = pending.charCodeAt(scanned);
      if (code === LINE_FEED && !isQuoted) {
        const record = take(pending.slice(start, scanned));
        if (record !== null) yield succeed(record);
        start = scanned + 1;
        startsCell = true;
      } else if (code === QUOTE && (isQuoted || startsCell)) {
        // A doubled quote closes and reopens the cell.
        isQuoted = !isQuoted;
        startsCell = !isQuoted || startsCell;
      } else {
        if (code === LINE_FEED) lines += 1;
        startsCell = isDelimiter(pending[scanned] ?? '', delimiter);
      }
    }
    pending = pending.slice(start);
    scanned -= start;
    if (pending.length > limitCharacters)
      return yield (await findTooLarge(texts)) ??
        fail(
          'invalid',
          `line ${line}: this row is longer than ${limitCharacters.toLocaleString('en-US')} characters. Check for a missing closing quote. Nothing was stored.`,
          `line ${line}`,
        );
  }
  const record = pending === '' ? null : take(pending);
  if (record !== null) yield succeed(record);
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
