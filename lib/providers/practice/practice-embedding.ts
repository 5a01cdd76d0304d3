import type { EmbeddingModelV4 } from '@ai-sdk/provider';
import { PRACTICE_PROVIDER } from '#lib/providers/provider-configuration.ts';
import { hash } from './hash.ts';

const DIMENSIONS = 256;
const CHARACTERS_A_TOKEN = 4;

/**
 * Creates an embedding model without network access, for practice only. It counts words and their prefixes and knows no meanings. The same
 * text always gets the same vector.
 */
export function createPracticeEmbedding(modelId: string): EmbeddingModelV4 {
  return {
    specificationVersion: 'v4',
    provider: PRACTICE_PROVIDER.name,
    modelId,
    maxEmbeddingsPerCall: undefined,
    supportsParallelCalls: true,
    async doEmbed({ values, abortSignal }) {
      abortSignal?.throwIfAborted();
      const tokens = values.reduce((sum, value) => sum + Math.ceil(value.length / CHARACTERS_A_TOKEN), 0);
      return { embeddings: values.map(wordVector), usage: { tokens }, warnings: [] };
    },
  };
}

/**
 * Returns a unit vector. Each word, and the prefix shared by its forms, increases or decreases one dimension. Repeated words have a
 * diminishing effect.
 */
function wordVector(text: string): number[] {
  const counts = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    for (const feature of [word, `${word.slice(0, 5)}…`]) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  }
  const vector = new Array<number>(DIMENSIONS).fill(0);
  for (const [feature, count] of counts) {
    const at = hash(feature, 'where') % DIMENSIONS;
    vector[at] = (vector[at] ?? 0) + (hash(feature, 'up or down') % 2 === 0 ? 1 : -1) * (1 + Math.log(count));
  }
  const length = Math.hypot(...vector);
  return length === 0 ? vector.with(0, 1) : vector.map((value) => value / length);
}
