/** Start of a text that a spreadsheet could interpret as a formula (OWASP, "CSV Injection"), also after leading apostrophes. */
const STARTS_FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
/** Includes the other delimiters, so that a reader that detects the delimiter from the header finds the comma. */
const NEEDS_QUOTES = /[",;|\t\r\n]/;
const ESCAPED = /^'(?='*(?:[=+\-@\t\r\n＝＋－＠]|$))/;

/** Value of a cell. Numbers are written unchanged. Null and undefined leave the cell empty. */
export type CellValue = string | number | boolean | null | undefined;

/**
 * Formats a CSV cell (RFC 4180) that is safe to open in a spreadsheet. Text that begins with `=`, `+`, `-`, `@` (also in full width), a tab
 * or a line break is prefixed with an apostrophe, so that it stays text. Apostrophes before such a sign are kept, so that `textOfCell`
 * finds the text again. Numbers are not prefixed: −1 stays −1.
 */
export function csvCell(value: CellValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const safe = STARTS_FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns the cell of a text in a table that is read back. An empty text becomes an apostrophe, because an empty cell means no text. */
export function exactCell(text: string): string {
  return /^'*$/.test(text) ? `'${text}` : text;
}

/** Returns the text of a cell that `csvCell(exactCell(text))` wrote. */
export function textOfCell(cell: string): string {
  return cell.replace(ESCAPED, '');
}

/** Formats a CSV row, including the CR LF that RFC 4180 requires. */
export function csvRow(values: readonly CellValue[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}
