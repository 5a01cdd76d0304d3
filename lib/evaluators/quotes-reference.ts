import { UNSPACED_SCRIPTS } from '#lib/core/estimated-tokens.ts';
import { wordWeight } from '#lib/core/text-values.ts';
import { acceptedAnswers, MAX_ANSWERS } from './accepted-answers.ts';
import { type CriterionResult, criterionResult } from './evaluator.ts';

/** Number of consecutive words that count as a quotation rather than a coincidence. Letters of scripts without spaces count half. */
const QUOTED_WORDS = 5;
/**
 * Minimum number of letters and digits from which the reference is also matched without regard to word breaks. Letters of scripts without
 * spaces count twice, because a word has one or two of them.
 */
const DISTINCT_LENGTH = 4;

/**
 * Returns true if a text reveals a reference: it contains all of it (ignoring case, articles, punctuation and spaces) or five consecutive
 * words of it. Of several right answers, each counts. Always false for an empty reference, and always true for one with too many answers.
 */
export function quotesReference(text: string, reference: string | null): boolean {
  const answers = reference === null ? [] : acceptedAnswers(reference);
  return answers.length > MAX_ANSWERS || answers.some((answer) => quotesAnswer(text, answer));
}

/**
 * Creates a result for a criterion that could not be scored because of `problem`. If that quotes the reference, only people see it, and
 * models see `reason`.
 */
export function unscoredQuietly(
  criterion: string,
  problem: string,
  reference: string | null,
  reason: string,
): CriterionResult {
  const detail = `Not scored. ${problem}`;
  return criterionResult({
    criterion,
    score: null,
    reason: quotesReference(problem, reference) ? reason : detail,
    detail,
  });
}

/** Returns a note for people if some texts of a result are hidden from models. Empty if none are. */
export function withheldNote(texts: readonly string[], mayReveal: (text: string) => boolean): string[] {
  const withheld = texts.filter((text) => !mayReveal(text)).length;
  return withheld === 0 ? [] : [`${withheld} of these texts quote the reference, so models do not see them.`];
}

function quotesAnswer(text: string, reference: string): boolean {
  for (const wordsOf of READINGS) {
    const expected = wordsOf(reference);
    if (expected.length > 0) return containsQuote(wordsOf(text), expected);
  }
  return false;
}

/** Tokenizers, tried in order until one returns tokens of the reference. "A" has none without articles, and "≥" has no words. */
const READINGS = [withoutArticles, words, symbols];

function containsQuote(textWords: string[], expected: string[]): boolean {
  const spaced = (words: readonly string[]) => ` ${words.join(' ')} `;
  if (spaced(textWords).includes(spaced(expected))) return true;
  const line = spaced(letters(textWords));
  const pieces = letters(expected);
  for (let start = 0; start < pieces.length; start++) {
    let end = start + 1;
    while (end < pieces.length && wordWeight(pieces.slice(start, end)) < QUOTED_WORDS) end++;
    const piece = pieces.slice(start, end);
    if (wordWeight(piece) < QUOTED_WORDS) break;
    if (line.includes(spaced(piece))) return true;
  }
  const compact = expected.join('');
  const length = compact.length + (compact.match(UNSPACED) ?? []).length;
  return length >= DISTINCT_LENGTH && textWords.join('').includes(compact);
}

const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, 'gu');
const PIECE = new RegExp(`[${UNSPACED_SCRIPTS}]|(?:(?![${UNSPACED_SCRIPTS}]).)+`, 'gu');

/** Splits words of scripts without spaces into letters. */
function letters(words: readonly string[]): string[] {
  return words.flatMap((word) => word.match(PIECE) ?? []);
}

function withoutArticles(text: string): string[] {
  return words(text).filter((word) => !['a', 'an', 'the'].includes(word));
}

/** Splits at punctuation, so that `island="Zanzibar"` contains the word zanzibar. */
function words(text: string): string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '');
}

function symbols(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
