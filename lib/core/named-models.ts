import { scoringWebhook } from './criterion.ts';
import type { ExperimentSettings, ModelReference } from './settings.ts';
import { targetReference } from './targets/target-model.ts';

/** Returns all models that an experiment names, for any purpose. */
export function namedModels(settings: ExperimentSettings): ModelReference[] {
  const { generator, reflectionModel, evaluatorModel, embeddingModel, lessons, mode, tune } = settings;
  const named = [
    { provider: generator.provider, model: generator.model },
    reflectionModel,
    evaluatorModel,
    embeddingModel,
    lessons.embeddings,
    lessons.check,
    ...workerModels(settings),
    ...(mode === 'tune' ? tune.parameters.models : []),
    generator.target === null ? null : targetReference(generator.target),
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

/** A configured service that a run uses, by kind and name. */
export type NamedService = { kind: 'provider' | 'webhook' | 'mcp_server'; name: string };

/** Returns all providers, webhooks and tool servers that an experiment names. The server of a tool is the part of its name before `__`. */
export function namedServices(settings: ExperimentSettings): NamedService[] {
  const { criteria, callbacks, generator } = settings;
  const { base } = generator;
  const webhooks = criteria.flatMap((criterion) => scoringWebhook(criterion) ?? []);
  if (callbacks.webhook !== null) webhooks.push(callbacks.webhook);
  const tools = base.type === 'single' ? [] : [...base.tools];
  if (base.type === 'supervisor') tools.push(...base.workers.flatMap((worker) => worker.tools));
  const named = (kind: NamedService['kind'], names: string[]) => [...new Set(names)].map((name) => ({ kind, name }));
  return [
    ...named(
      'provider',
      namedModels(settings).map(({ provider }) => provider),
    ),
    ...named('webhook', webhooks),
    ...named(
      'mcp_server',
      tools.filter((tool) => tool.includes('__')).map((tool) => tool.split('__', 1).join('')),
    ),
  ];
}
