/** Characters at the start of a cell that a spreadsheet could interpret as a formula: OWASP, "CSV Injection". */
const STARTS_FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** Value of a cell. Numbers are written unchanged. Null and undefined leave the cell empty. */
export type CellValue = string | number | boolean | null | undefined;

/**
 * Formats a CSV cell (RFC 4180) that is safe to open in a spreadsheet. Text that begins with `=`, `+`, `-`, `@` (also in full width), a tab
 * or a line break is prefixed with an apostrophe, so that it stays text. Numbers are not prefixed: −1 stays −1.
 */
export function csvCell(value: CellValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const safe = STARTS_FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Formats a CSV row, including the CR LF that RFC 4180 requires. */
export function csvRow(values: readonly CellValue[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}
