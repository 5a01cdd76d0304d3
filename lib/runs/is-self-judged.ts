import { isJudgedByModel } from '#lib/core/judged-by-model.ts';
import { type ExperimentSettings, modelFor } from '#lib/core/settings.ts';

/** Whether the model that writes an experiment's outputs judges them too: such scores are marked wherever they are shown. */
export function isSelfJudged(settings: ExperimentSettings): boolean {
  const judge = modelFor(settings, 'evaluate');
  const { provider, model } = settings.generator;
  return settings.criteria.some(isJudgedByModel) && judge.provider === provider && judge.model === model;
}
