import { UNSPACED_SCRIPTS } from './estimated-tokens.ts';
import { parseJson } from './json-values.ts';

/** Maximum characters of a rejected value in a message. */
const MAX_SHOWN_LENGTH = 80;

/** Formats a value for a message: JSON, truncated if long, or "nothing" if undefined. */
export function showValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'number') return String(value);
  const text = JSON.stringify(value, withoutBigInt) ?? String(value);
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH).toWellFormed()}…` : text;
}

/** JSON has no integers of any size, but the input of a server action can contain them. */
function withoutBigInt(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/**
 * Returns a pseudo-random number in [0, 1) that only depends on the texts: FNV-1a with the final mix of MurmurHash3. One text and two texts
 * with the same characters differ.
 */
export function seededNumber(...texts: string[]): number {
  let value = 0x811c9dc5;
  for (const text of texts) {
    for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
    value = Math.imul(value ^ 0x10ffff, 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return ((value ^ (value >>> 16)) >>> 0) / 0x1_0000_0000;
}

/**
 * Normalizes an answer like SQuAD v1.1: lower case, without punctuation and the articles a, an, the, and with collapsed white space.
 * Removes the punctuation of all languages, like MLQA. Sources: Rajpurkar et al. 2016, evaluation script of SQuAD 1.1; Lewis et al. 2020,
 * evaluation script of MLQA.
 */
export function normalizeAnswer(text: string): string {
  return withoutArticles(text.normalize('NFC').toLowerCase().replace(EVERY_PUNCTUATION, ''));
}

const PUNCTUATION = String.raw`[!-/:-@[-\x60{-~\p{P}]`;
/** Punctuation that changes a number or a name: a sign, an operator or separator between digits, and the end of C++ or C#. */
const MEANINGFUL = [
  String.raw`(?<![\p{L}\p{N}_])-(?=\p{Sc}?\.?\d)`,
  String.raw`(?<![\p{L}\p{N}_])\.(?=\d)`,
  String.raw`(?<=\d)[-+.,:/*^](?=\d)`,
  String.raw`(?<=\d)-(?=\p{Sc}\d)`,
  String.raw`(?<=\d)\^(?=-\d)|(?<=\d\^)-`,
  String.raw`(?<=\p{L}\+?)[+#]`,
].join('|');
const EVERY_PUNCTUATION = new RegExp(PUNCTUATION, 'gu');
/** A number with separators, such as 1,234,567, in India 12,34,567, or in German 1.234.567. A single dot is a decimal point. */
const THOUSANDS =
  /(?<![\d.,])(?:\d{1,3}(?:,\d{3})+(?!,?\d)|\d{1,2}(?:,\d{2})+,\d{3}(?!,?\d)|\d{1,3}(?:\.\d{3}){2,}(?![.,]?\d))/g;
/** A hyphen or dash between numbers in one line. At the start of a line, it is a bullet. */
const RANGE =
  /(?<=\d)[^\S\r\n]?[-\u2010-\u2015][^\S\r\n](?=\p{Sc}?\d)|(?<=\d)[^\S\r\n]?[\u2010-\u2015](?=\p{Sc}?\d)|\u2212/gu;
const RAISED = /(?<=[\p{L}\d)])[⁺⁻]?[⁰¹²³⁴-⁹]+/gu;
const OTHER_PUNCTUATION = new RegExp(`(${MEANINGFUL})|${PUNCTUATION}`, 'gu');

/**
 * Normalizes an answer like `normalizeAnswer`, but keeps numbers and names apart that differ only in punctuation, such as 3.5 and 35, −5
 * and 5, or C++ and C#. Thousands separators, spaces in a range such as 10 - 20, and the notation of a power do not count.
 */
export function normalizeExactly(text: string): string {
  return withoutArticles(
    text
      .normalize('NFC')
      .toLowerCase()
      .replace(RANGE, '-')
      .replace(RAISED, (raised) => `^${raised.normalize('NFKC').replace('\u2212', '-')}`)
      .replace(/(?<=\d)\s?\^\s?\{\s?([+-]?\d+)\s?\}/g, '^$1')
      .replace(THOUSANDS, (number) => number.replaceAll(/[.,]/g, ''))
      .replace(OTHER_PUNCTUATION, (_sign, kept: string | undefined) => kept ?? ''),
  );
}

function withoutArticles(text: string): string {
  return text
    .replace(/(?<![\p{L}\p{N}_])(a|an|the)(?![\p{L}\p{N}_])/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Returns a text without differences of case, punctuation and white space. */
export function plainWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const UNSPACED_LETTER = new RegExp(`^[${UNSPACED_SCRIPTS}]$`, 'u');

/** Returns the number of words. Letters of scripts without spaces, each given as a word, count half. */
export function wordWeight(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + (UNSPACED_LETTER.test(word) ? 0.5 : 1), 0);
}

export function isJson(text: string): boolean {
  return parseJson(text) !== undefined;
}

/**
 * Shortens a list of texts to about `longest` characters: a line with the number of omitted texts replaces those in the middle. A quarter
 * of the space is for the start. A text longer than half of the space is truncated. `unit` names one text.
 */
export function withoutMiddle(texts: string[], longest: number, unit: OmittedUnit): string[] {
  if (lengthOf(texts) <= longest) return texts;
  // One long text must not use the space of all others.
  const ends = texts.map((text) => cutText(text, longest / 2));
  let head = 0;
  while (lengthOf(ends.slice(0, head + 1)) <= longest / 4) head++;
  let tail = ends.length;
  while (tail - 1 >= head && lengthOf(ends.slice(tail - 1)) <= longest - lengthOf(ends.slice(0, head))) tail--;
  const left = texts.slice(head, tail).reduce((sum, text) => sum + (omittedBy(text) ?? 1), 0);
  return [...ends.slice(0, head), ...omission(left, unit), ...ends.slice(tail)];
}

type OmittedUnit = 'turn' | 'line' | 'step';

/** Returns the line that replaces omitted texts, as a list. Empty if none were omitted. */
export function omission(count: number, unit: OmittedUnit): string[] {
  return count === 0 ? [] : [`… ${count} ${count === 1 ? unit : `${unit}s`} left out …`];
}

/** Returns the number of texts that a line of `omission` replaces, or null for any other line. */
export function omittedBy(line: string): number | null {
  const [, count] = /^… ([1-9]\d{0,8}) (?:turn|line|step)s? left out …$/.exec(line) ?? [];
  return count === undefined ? null : Number(count);
}

/** Returns the first `most` characters of a text, with a mark if there are more. */
export function cutText(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()} … (cut)`;
}

/** Returns the total characters of texts, with a line break after each. */
export function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length + 1, 0);
}
