import type { EmbeddingModelV4 } from '@ai-sdk/provider';
import { connect, type Unreachable } from './connect.ts';
import { createPracticeEmbedding } from './practice/practice-embedding.ts';
import type { ProviderConfiguration } from './provider-configuration.ts';

export type ReachableEmbedding = { ok: true; model: EmbeddingModelV4 } | Unreachable;

/** The AI SDK embedding model of a configured provider, asked by `fetch`. */
export function embeddingModel(
  configuration: ProviderConfiguration,
  modelId: string,
  fetch: typeof globalThis.fetch,
): ReachableEmbedding {
  if (configuration.kind === 'practice') return { ok: true, model: createPracticeEmbedding(modelId) };
  const connected = connect(configuration, configuration.kind, fetch);
  if (!connected.ok) return connected;
  const { kind, provider } = connected.connection;
  switch (kind) {
    case 'openai':
    case 'google':
    case 'openai-compatible':
      return { ok: true, model: provider.embeddingModel(modelId) };
    case 'anthropic':
      return {
        ok: false,
        kind: 'bad_request',
        message: `The provider "${configuration.name}" has no embedding models.`,
        remedy: 'Choose a model of another provider under embeddingModel.',
      };
  }
}
