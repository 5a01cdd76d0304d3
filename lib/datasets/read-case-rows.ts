import { type Result, succeed } from '#lib/core/problem.ts';
import { findJsonLoss, positionAt } from '#lib/formats/find-json-error.ts';
import type { ImportFault } from '#lib/formats/import-report.ts';
import { readCsvRecords } from '#lib/formats/read-csv-records.ts';
import { readJsonItems } from '#lib/formats/read-json-items.ts';
import { readLines, readText } from '#lib/formats/read-lines.ts';
import { repairJson } from '#lib/formats/repair-json.ts';
import { MAX_DEPTH } from '#lib/input/parse-input.ts';

const CASE_FORMATS = ['jsonl', 'csv', 'json'] as const;
export type CaseFormat = (typeof CASE_FORMATS)[number];

/**
 * An entry of an upload: an unvalidated value with the position of its text, a member next to the list of cases (`name`), or a fault. A
 * value of a table contains its cells by column name and has no text.
 */
export type CaseRow =
  | { kind: 'value'; line: number; column: number; value: unknown; text: string | null }
  | { kind: 'member'; name: string; value: unknown }
  | { kind: 'fault'; fault: ImportFault };

/** Maximum size of an upload in bytes. */
export const UPLOAD_LIMIT_BYTES = 50_000_000;
/** Maximum characters of one line, row or entry. */
const LIMIT_CHARACTERS = 2_000_000;
const LIMITS = { limitBytes: UPLOAD_LIMIT_BYTES, limitCharacters: LIMIT_CHARACTERS };

/** Streams the rows of an upload, each with the line it begins on. Ends at the first problem. Nothing is buffered. */
export function readCaseRows(format: CaseFormat, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Result<CaseRow>> {
  switch (format) {
    case 'jsonl':
      return fromJsonl(bytes);
    case 'csv':
      return fromCsv(bytes);
    case 'json':
      return fromJson(bytes);
  }
}

async function* fromJsonl(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Result<CaseRow>> {
  for await (const read of readLines(bytes, LIMITS)) {
    if (!read.ok) return yield read;
    const { line, text } = read.value;
    if (text.trim() !== '') yield succeed(parsed(text, line, 1));
  }
}

async function* fromJson(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Result<CaseRow>> {
  const wanted = 'a list of cases, or an object that holds one';
  const tooLong = ' Upload large files with POST /api/v1/files.';
  const limits = { limitCharacters: LIMIT_CHARACTERS, limitDepth: MAX_DEPTH, wanted, tooLong };
  for await (const read of readJsonItems(readText(bytes, UPLOAD_LIMIT_BYTES), 'cases', limits)) {
    if (!read.ok) return yield read;
    const piece = read.value;
    if (piece.kind === 'fault') yield succeed(piece);
    else if (piece.kind === 'item') yield succeed(parsed(piece.text, piece.line, piece.column));
    else {
      const row = parsed(`{${piece.text}}`, piece.line, piece.column - 1);
      if (row.kind !== 'value') yield succeed(row);
      else for (const [name, value] of Object.entries(row.value ?? {})) yield succeed({ kind: 'member', name, value });
    }
  }
}

function parsed(text: string, line: number, column: number): CaseRow {
  try {
    const value: unknown = JSON.parse(text);
    const loss = findJsonLoss(text);
    if (loss === null) return { kind: 'value', line, column, value, text };
    const { at, length, message } = loss;
    return { kind: 'fault', fault: { ...positionAt(text, at, line, column), length, message, mend: null } };
  } catch {
    const unknown = { line, column: null, length: null, message: 'this is not JSON', mend: null };
    return { kind: 'fault', fault: repairJson(text, line, column) ?? unknown };
  }
}

/** The header line names the columns. The caller maps them to parts of a case. */
async function* fromCsv(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Result<CaseRow>> {
  let names: string[] | null = null;
  for await (const read of readCsvRecords(readText(bytes, UPLOAD_LIMIT_BYTES), LIMIT_CHARACTERS)) {
    if (!read.ok) return yield read;
    const { line, cells, fault } = read.value;
    const wrong = (message: string): Result<CaseRow> =>
      succeed({ kind: 'fault', fault: { line, column: null, length: null, message, mend: null } });
    if (fault !== null) yield wrong(fault);
    else if (names === null) {
      names = withoutEmptyEnd(cells.map((name) => name.trim()));
      const unnamed = names.filter((name) => name === '').length;
      if (unnamed > 1) return yield wrong(`${unnamed} columns have no name`);
      const twice = names.find((name, at) => names?.indexOf(name) !== at);
      if (twice !== undefined) return yield wrong(`the column \`${twice}\` appears twice`);
    } else if (cells.some((cell) => cell !== '')) {
      const filled = withoutEmptyEnd(cells, names.length);
      if (filled.length === names.length) {
        const value = Object.fromEntries(names.map((name, at) => [name, filled[at] ?? '']));
        yield succeed({ kind: 'value', line, column: 1, value, text: null });
      } else
        yield wrong(
          `this row has ${filled.length} ${filled.length === 1 ? 'column' : 'columns'}, but the header has ${names.length}`,
        );
    }
  }
}

/** Returns the cells without the empty ones that spreadsheets add after the last column. Returns at least `least` cells. */
function withoutEmptyEnd(cells: string[], least = 1): string[] {
  const last = cells.findLastIndex((cell) => cell !== '');
  return cells.slice(0, Math.max(least, last + 1));
}
