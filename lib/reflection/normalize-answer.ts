/**
 * The answer normalisation of SQuAD v1.1: lower case, punctuation and the articles a, an, the removed, white space folded.
 * Source: Rajpurkar et al. 2016, evaluation script of SQuAD 1.1.
 */
export function normalizeAnswer(text: string): string {
  return text
    .toLowerCase()
    .replace(/[!-/:-@[-`{-~]/g, '')
    .replace(/\b(a|an|the)\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
