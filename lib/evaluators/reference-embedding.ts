import { NO_SPEND } from '#lib/core/history.ts';
import { cosineSimilarity } from './cosine-similarity.ts';
import { unscored } from './criterion-result.ts';
import type { CriterionResult, EvaluationRequest, EvaluatorOutcome } from './evaluator.ts';
import { likenessVerdict, type ReferenceCriterion } from './reference-verdict.ts';

/** An answer and the reference it is compared with, as they came and made comparable. */
export type EmbeddingPair = {
  criterion: ReferenceCriterion;
  text: string;
  reference: string;
  answer: string;
  expected: string;
};

/** What is sent of one text at most, in characters; models take far less, and say so. */
const LONGEST_TEXT = 100_000;
const MEASURE = 'embedding similarity';

/**
 * Scores pairs by the cosine of their embeddings, below 0 counted as 0; all of them in one call, none where nothing needs one.
 * An empty answer is like nothing, the reference's own words are like it.
 */
export async function judgeByEmbedding(
  pairs: EmbeddingPair[],
  { settings, embed }: Pick<EvaluationRequest<'reference'>, 'settings' | 'embed'>,
): Promise<EvaluatorOutcome> {
  const known = pairs.map((pair) => withoutAsking(pair, settings.embeddingModel === null));
  const texts = [...new Set(pairs.flatMap(({ answer, expected }, at) => (known[at] ? [] : [answer, expected])))];
  if (texts.length === 0) return { ok: true, results: known.flatMap((one) => one ?? []), spend: NO_SPEND };
  const embedded = await embed(texts);
  if (!embedded.ok) return embedded;
  const vectorOf = new Map(texts.map((text, at) => [text, embedded.vectors[at] ?? []]));
  const results = pairs.map((pair, at) => {
    const cosine = cosineSimilarity(vectorOf.get(pair.answer) ?? [], vectorOf.get(pair.expected) ?? []);
    return known[at] ?? likenessVerdict(pair.criterion, MEASURE, Math.min(1, Math.max(0, cosine)), pair);
  });
  return { ok: true, results, spend: embedded.spend };
}

function withoutAsking(pair: EmbeddingPair, hasNoModel: boolean): CriterionResult | null {
  const { criterion, answer, expected } = pair;
  if (hasNoModel) return unscored(criterion.name, 'Not scored: the experiment names no embedding model.');
  if (expected.trim() === '') return unscored(criterion.name, 'Not scored: the reference is empty.');
  if (answer.trim() === '') return likenessVerdict(criterion, MEASURE, 0, pair);
  if (answer === expected) return likenessVerdict(criterion, MEASURE, 1, pair);
  if (Math.max(answer.length, expected.length) <= LONGEST_TEXT) return null;
  return unscored(criterion.name, 'Not scored: output or reference is too long to be embedded.');
}
