import type { ModelReference } from '#lib/core/settings.ts';
import type { TargetSettings } from './target-settings.ts';

/** Placeholder for the model in calls to a target. */
export const TARGET_MODEL = '(target)';

/** Returns the label of a model or target, for example `openai / gpt-5` or `target my-app`. */
export function modelLabel({ provider, model }: ModelReference): string {
  return model === TARGET_MODEL ? `target ${provider}` : `${provider} / ${model}`;
}

/** Returns the short label: `openai/gpt-5`. */
export function modelId({ provider, model }: ModelReference): string {
  return model === TARGET_MODEL ? `target ${provider}` : `${provider}/${model}`;
}

/** Returns the model without its provider, or the name of the target. */
export function shortModel({ provider, model }: ModelReference): string {
  return model === TARGET_MODEL ? provider : model;
}

/** Returns the model reference of calls to a target. */
export function targetReference({ name }: Pick<TargetSettings, 'name'>): ModelReference {
  return { provider: name, model: TARGET_MODEL };
}
