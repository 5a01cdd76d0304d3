import { embeddingRequest, readEmbeddings } from './embedding-request.ts';
import type { Ask, Embed } from './evaluate-request.ts';
import type { ModelOutcome, ModelRequest } from './model-request.ts';
import { type ExperimentSettings, modelFor } from './settings.ts';

/**
 * How the evaluators of one evaluation ask models: judges and the embedding model of the settings, all calls numbered in the
 * order of asking. `embed` throws where the settings name no embedding model.
 */
export function evaluatorCalls(
  settings: ExperimentSettings,
  call: (request: ModelRequest) => Promise<ModelOutcome>,
): { ask: Ask; embed: Embed } {
  let ordinal = 0;
  return {
    ask: (request) => call({ ...request, role: 'evaluate', model: modelFor(settings, 'evaluate'), ordinal: ordinal++ }),
    embed: async (texts) => {
      const { embeddingModel } = settings;
      if (embeddingModel === null) throw new Error('the settings name no embedding model');
      const outcome = await call({ ...embeddingRequest(texts), model: embeddingModel, ordinal: ordinal++ });
      return readEmbeddings(outcome, texts.length);
    },
  };
}
