/** What is taken out of texts, as it is named in its place: `[redacted: e-mail]`. `text`: a part that was all of it. */
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

/** A part of a text that must not be kept: from the position `start` up to the position `end`. */
export type Found = { kind: RedactedKind; start: number; end: number };

/** Finds what must not be kept, in time linear in the text's length. */
export type Finder = (text: string) => Found[];

/**
 * Finds what a global pattern matches and `accept` agrees to: the group `part` where the pattern has one (it then needs the flag
 * `d`), else the whole match.
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

/** Whether the last digit is the one that Luhn's rule asks for (ISO/IEC 7812-1). */
export function isLuhn(digits: string): boolean {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, sign, place) => {
      const digit = Number(sign) * (place % 2 === 1 ? 2 : 1);
      return total + (digit > 9 ? digit - 9 : digit);
    }, 0);
  return sum % 10 === 0;
}

/** A number of any length modulo 97. */
export function remainderOf97(digits: string): number {
  return Array.from(digits).reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0);
}

/** The sum of the digits, each times its weight. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, place) => sum + weight * Number(digits[place] ?? 0), 0);
}

/**
 * Whether a word of at least 8 characters looks made by a machine and not by a writer: its letters and digits change about as often as
 * by chance. Names in any case, words joined by hyphens and names with numbers (`gpt-4`, `getUserName2`) do not.
 */
export function looksRandom(word: string): boolean {
  if (/\d{6,}[A-Za-z]|[A-Za-z]\d{6,}/.test(word)) return true;
  const letters = word.match(/[A-Za-z]/g)?.length ?? 0;
  const runs = word.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? [];
  if (letters < 3 || runs.length < 4) return false;
  const length = runs.reduce((sum, run) => sum + run.length, 0) / runs.length;
  return word.length >= 12 ? length < 3 : word.length >= 8 && length < 2;
}
