import type { ExperimentSettings, ModelReference } from './settings.ts';

/** Every model that an experiment names, for whatever it is used. */
export function namedModels(settings: ExperimentSettings): ModelReference[] {
  const { generator, reflectionModel, evaluatorModel, embeddingModel, lessons } = settings;
  const named = [
    { provider: generator.provider, model: generator.model },
    reflectionModel,
    evaluatorModel,
    embeddingModel,
    lessons.embeddings,
  ];
  return named.flatMap((model) => model ?? []);
}
