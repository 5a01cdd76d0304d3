import type { EmbeddingModelV4 } from '@ai-sdk/provider';
import { embedMany } from 'ai';
import { textsToEmbed, vectorsText } from '#lib/core/embedding-request.ts';
import type { ModelRequest } from './model-caller.ts';
import type { RawReply } from './request-once.ts';
import { currentTry } from './try-context.ts';

/** One try at the vectors of an embedding request. Throws what the AI SDK throws; never retries. */
export async function embedOnce(
  model: EmbeddingModelV4,
  request: ModelRequest,
  { signal }: { signal: AbortSignal },
): Promise<RawReply> {
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const texts = textsToEmbed(request.prompt);
  const estimated = Math.ceil(texts.join('').length / 4);
  const context = currentTry();
  if (context !== undefined) context.inputTokens = estimated;
  const result = await embedMany({ model, values: texts, maxRetries: 0, abortSignal: signal });
  const warnings = result.warnings.map((warning) => ('message' in warning ? warning.message : warning.feature));
  const isTold = Number.isFinite(result.usage.tokens);
  if (!isTold) warnings.push('The provider did not report token usage; it was estimated from the length of the texts.');
  const input = isTold ? result.usage.tokens : estimated;
  return {
    text: vectorsText(result.embeddings),
    finishReason: 'stop',
    tokenUsage: { input, output: 0, total: input, cached: 0 },
    warnings,
  };
}
