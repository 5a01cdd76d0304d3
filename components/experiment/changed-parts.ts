import { settingsSchema } from '#lib/core/settings.ts';
import type { FormPart } from '#lib/runs/settings-path.ts';
import { changedSettings } from './changed-settings.ts';
import { isDerived, promptPath } from './first-prompt.ts';
import { partOf } from './form-part.ts';
import { type FormSettings, fromFormSettings } from './form-settings.ts';

const DEFAULTS = settingsSchema.parse({
  mode: 'revise',
  generator: { provider: 'practice', model: 'practice-1' },
  criteria: [{ name: 'any', evaluator: 'llm' }],
});

/** Default models of a new experiment, by role. */
export type DefaultModels = Pick<FormSettings, 'evaluatorModel' | 'reflectionModel' | 'embeddingModel'>;

const NO_MODELS: DefaultModels = { evaluatorModel: null, reflectionModel: null, embeddingModel: null };

/** Returns the number of settings per form part that differ from their defaults. */
export function changedParts(
  settings: FormSettings,
  { evaluatorModel, reflectionModel, embeddingModel }: DefaultModels = NO_MODELS,
): ReadonlyMap<FormPart, number> {
  const { name: _, ...sent } = fromFormSettings(settings);
  const { mode } = settings;
  const prompt = promptPath(settings);
  const defaults = { ...DEFAULTS, evaluatorModel, reflectionModel, embeddingModel };
  const parts = changedSettings(defaults, sent).changed.flatMap(({ setting }) => {
    // Criteria are counted below, because their default is derived from the prompt.
    const part = setting === prompt || setting === 'criteria' ? null : partOf(setting, mode);
    return part === null ? [] : [part];
  });
  if (!isDerived(settings)) parts.push('criteria');
  const counts = new Map<FormPart, number>();
  for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + 1);
  return counts;
}
