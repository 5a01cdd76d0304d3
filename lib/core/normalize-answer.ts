/**
 * The answer normalisation of SQuAD v1.1: lower case, punctuation and the articles a, an, the removed, white space folded.
 * Source: Rajpurkar et al. 2016, evaluation script of SQuAD 1.1.
 */
export function normalizeAnswer(text: string): string {
  return text
    .toLowerCase()
    .replace(/[!-/:-@[-`{-~]/g, '')
    .replace(/(?<![\p{L}\p{N}_])(a|an|the)(?![\p{L}\p{N}_])/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
