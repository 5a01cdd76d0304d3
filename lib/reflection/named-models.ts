import type { ExperimentSettings, ModelReference } from './settings.ts';

/** Every model that an experiment names, for whatever it is used. */
export function namedModels(settings: ExperimentSettings): ModelReference[] {
  const { generator, reflectionModel, evaluatorModel, embeddingModel } = settings;
  const named = [
    { provider: generator.provider, model: generator.model },
    reflectionModel,
    evaluatorModel,
    embeddingModel,
  ];
  return named.flatMap((model) => model ?? []);
}
