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
    ...workerModels(settings),
  ];
  return named.flatMap((model) => model ?? []);
}

function workerModels({ generator }: ExperimentSettings): ModelReference[] {
  const { base } = generator;
  if (base.type !== 'supervisor') return [];
  return base.workers.map(({ provider, model }) => ({
    provider: provider ?? generator.provider,
    model: model ?? generator.model,
  }));
}
