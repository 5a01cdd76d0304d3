/** Scripts without spaces between words, as part of a character class. */
export const UNSPACED_SCRIPTS = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}';

export const CHARACTERS_PER_TOKEN = 4;

/** Estimates the tokens of a text without a model. A letter of a script without spaces is about one token. */
export function estimatedTokens(text: string): number {
  return Math.ceil(tokenLength(text) / CHARACTERS_PER_TOKEN);
}

/** Returns the length of a text for an estimate of its tokens, in characters of which four are a token. */
export function tokenLength(text: string): number {
  return text.length + (CHARACTERS_PER_TOKEN - 1) * (text.match(UNSPACED_LETTERS)?.length ?? 0);
}

const UNSPACED_LETTERS = new RegExp(`[${UNSPACED_SCRIPTS}]`, 'gu');
