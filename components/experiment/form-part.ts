import { settingsSchema } from '#lib/core/settings.ts';
import { FORM_PARTS, type FormPart } from '#lib/runs/edit-form-path.ts';
import { changedSettings } from './changed-settings.ts';
import { isDerived, promptPath } from './first-prompt.ts';
import { type FormSettings, fromFormSettings } from './form-settings.ts';

/** Returns the part named in the URL parameter `open`. Null if it is unknown. */
export function formPartOf(value: string | null): FormPart | null {
  return FORM_PARTS.find((part) => part === value) ?? null;
}

/** True for fields that are always visible. In tune mode, the tuned prompt replaces the instructions. */
function isAlwaysVisibleField(path: string | null, mode: string): boolean {
  if (path === 'generator.provider' || path === 'generator.model' || path?.startsWith('generator.target')) return true;
  return path === (mode === 'tune' ? 'prompts.generate' : 'generator.instructions');
}

/** Settings of each part. Those of agents are in `generator` too. */
const SETTINGS: Record<Exclude<FormPart, 'base'>, readonly (keyof FormSettings)[]> = {
  tuning: ['tune'],
  criteria: ['criteria', 'qualityThreshold', 'evaluation'],
  loop: ['mode', 'maxIterations', 'maxAttempts', 'bestVersion', 'preserveAllVersions'],
  lessons: ['lessons'],
  people: ['callbacks', 'budget'],
  task: [
    'generator',
    'temperatures',
    'modelSettings',
    'taskType',
    'evaluatorModel',
    'embeddingModel',
    'reflectionModel',
  ],
  prompts: ['prompts'],
  reflection: ['structuredReflection', 'revision', 'triggers'],
  stops: ['convergence'],
};

/** Returns the part that contains a field, by its path in the request. Null for always visible fields and for null. */
export function partOf(path: string | null, mode: string): FormPart | null {
  if (isAlwaysVisibleField(path, mode)) return null;
  if (path === 'generator.base' || path?.startsWith('generator.base.')) return 'base';
  const setting = path?.split('.')[0];
  return FORM_PARTS.find((part) => part !== 'base' && SETTINGS[part].some((name) => name === setting)) ?? null;
}

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
