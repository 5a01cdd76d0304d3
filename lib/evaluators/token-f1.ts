/**
 * How far the words of two texts overlap, 0 to 1: the harmonic mean of precision and recall over their tokens, each counted as
 * often as it stands in both. Texts are split at white space as they come, so both should be normalised before; where one has
 * no token at all, 1 if the other has none either. Source: Rajpurkar et al. 2016 and 2018, evaluation scripts of SQuAD 1.1 and 2.0.
 */
export function tokenF1(answer: string, reference: string): number {
  const answerTokens = tokensOf(answer);
  const referenceTokens = tokensOf(reference);
  if (answerTokens.length === 0 || referenceTokens.length === 0)
    return answerTokens.length === referenceTokens.length ? 1 : 0;
  const left = new Map<string, number>();
  for (const token of referenceTokens) left.set(token, (left.get(token) ?? 0) + 1);
  let shared = 0;
  for (const token of answerTokens) {
    const count = left.get(token) ?? 0;
    if (count === 0) continue;
    left.set(token, count - 1);
    shared++;
  }
  return (2 * shared) / (answerTokens.length + referenceTokens.length);
}

function tokensOf(text: string): string[] {
  return text.split(/\s+/).filter((token) => token !== '');
}
