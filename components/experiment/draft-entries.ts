/** The lines that hold something. */
export function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** The value of a JSON text; else the text itself, so that the answer can name it. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** As `read`, null for an empty entry. */
export function orNull(text: string): number | string | null {
  return text.trim() === '' ? null : read(text);
}

/** A number where the text is one, with point or comma; else the text itself, null for none. */
export function read(text: string): number | string | null {
  const trimmed = text.trim().replace(',', '.');
  if (trimmed === '') return null;
  const number = Number(trimmed);
  return Number.isFinite(number) ? number : text;
}

/** A number as it is typed; an empty entry for null. */
export function typed(value: number | null): string {
  return value === null ? '' : String(value);
}
