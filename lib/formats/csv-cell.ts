/** What a spreadsheet would take for a formula, or for the way into one: OWASP, "CSV Injection". */
const STARTS_FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** What may stand in a cell. A number is written as it is; null and undefined leave the cell empty. */
export type CellValue = string | number | boolean | null | undefined;

/**
 * One cell of a CSV file (RFC 4180), safe to open in a spreadsheet: a text that begins with `=`, `+`, `-`, `@`, a tab or a line's
 * end, or one of these signs in full width, gets an apostrophe before it and so stays a text. Numbers are no texts: −1 stays −1.
 */
export function csvCell(value: CellValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const safe = STARTS_FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One row with its line end, which RFC 4180 wants as CR LF. */
export function csvRow(values: readonly CellValue[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}
