/** Returns the lines that are not empty. */
export function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** Parses a number with a decimal point or comma. Returns the text itself if it is not a number, and null if it is empty. */
export function parseNumberEntry(text: string): number | string | null {
  const trimmed = text.trim().replace(',', '.');
  if (trimmed === '') return null;
  const number = Number(trimmed);
  return Number.isFinite(number) ? number : text;
}

/** Formats a number for an input. Empty for null. */
export function formatNumberEntry(value: number | null): string {
  return value === null ? '' : String(value);
}

/** Parses a score with a decimal point or comma. Null if it is not a number from 0 to 1. */
export function parseScore(text: string): number | null {
  const score = parseNumberEntry(text);
  return typeof score === 'number' && score >= 0 && score <= 1 ? score : null;
}

/** Returns a key that no entry of a list uses. */
export function nextKey(entries: readonly { key: number }[]): number {
  return Math.max(-1, ...entries.map(({ key }) => key)) + 1;
}
