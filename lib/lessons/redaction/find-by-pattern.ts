/** Kinds of redacted text, as shown in its place: `[redacted: e-mail]`. `text`: a part that was removed completely. */
export const REDACTED_KINDS = [
  'private key',
  'key',
  'password',
  'e-mail',
  'phone',
  'card',
  'IBAN',
  'national id',
  'host',
  'address',
  'text',
] as const;
export type RedactedKind = (typeof REDACTED_KINDS)[number];

/** A range of text to redact: from `start` up to, but not including, `end`. */
export type Found = { kind: RedactedKind; start: number; end: number };

/** Finds ranges to redact, in time linear in the text's length. */
export type Finder = (text: string) => Found[];

/**
 * Creates a finder for matches of a global pattern that `accept` confirms. Finds the group `part` if the pattern has one (it then needs the
 * flag `d`), otherwise the whole match.
 */
export function byPattern(
  kind: RedactedKind,
  pattern: RegExp,
  accept: (part: string, match: RegExpExecArray) => boolean = () => true,
): Finder {
  return (text) => {
    const found: Found[] = [];
    for (const match of text.matchAll(pattern)) {
      const part = match.groups?.part ?? match[0];
      if (!accept(part, match)) continue;
      const [start, end] = match.indices?.groups?.part ?? [match.index, match.index + match[0].length];
      found.push({ kind, start, end });
    }
    return found;
  };
}

/** Returns true if the last digit is a valid Luhn check digit (ISO/IEC 7812-1). */
export function isLuhn(digits: string): boolean {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, sign, index) => {
      const digit = Number(sign) * (index % 2 === 1 ? 2 : 1);
      return total + (digit > 9 ? digit - 9 : digit);
    }, 0);
  return sum % 10 === 0;
}

/** Returns a number of any length modulo 97. */
export function remainderOf97(digits: string): number {
  return Array.from(digits).reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0);
}

/** Returns the weighted sum of the digits. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * Number(digits[index] ?? 0), 0);
}

/** Returns a text without its trailing characters of a class, such as `[.!?]`, in linear time. */
export function withoutTrailing(text: string, marks: RegExp): string {
  let end = text.length;
  while (end > 0 && marks.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/**
 * Returns true if a word of at least 8 characters looks randomly generated: its letters and digits alternate about as often as by chance.
 * False for names in any case, hyphenated words, and names with numbers (`gpt-4`, `getUserName2`).
 */
export function looksRandom(word: string): boolean {
  if (/(?<!\d)\d{6,}[A-Za-z]|[A-Za-z]\d{6,}/.test(word)) return true;
  const letters = word.match(/[A-Za-z]/g)?.length ?? 0;
  const runs = word.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? [];
  if (letters < 3 || runs.length < 4) return false;
  const length = runs.reduce((sum, run) => sum + run.length, 0) / runs.length;
  return word.length >= 12 ? length < 3 : word.length >= 8 && length < 2;
}
