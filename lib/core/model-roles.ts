import type { ExperimentSettings, ModelReference } from './settings.ts';
import { targetReference } from './targets/target-model.ts';

export const MODEL_ROLES = ['generate', 'evaluate', 'reflect', 'revise', 'lesson'] as const;
export type ModelRole = (typeof MODEL_ROLES)[number];

/** Returns the model of a role, by default the generator's. Outputs may also come from a target. */
export function modelFor(settings: ExperimentSettings, role: ModelRole): ModelReference {
  const { provider, model, target } = settings.generator;
  const generator = { provider, model };
  switch (role) {
    case 'evaluate':
      return settings.evaluatorModel ?? generator;
    case 'reflect':
    case 'lesson':
      return settings.reflectionModel ?? generator;
    case 'generate':
    case 'revise':
      return target === null ? generator : targetReference(target);
  }
}
