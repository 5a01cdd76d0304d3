import type { ModelReference } from '#lib/core/settings.ts';
import type { RefusableParameter } from '#lib/providers/refused-parameter-record.ts';
import { type FormModelSettings, type FormSettings, rolesOf, type SettingPath, settingAt } from './form-settings.ts';
import type { ProviderChoice } from './model-choice.tsx';

/** Setting that a model refuses and that is therefore not sent, with its paths in the form. */
export type RefusedSetting = { model: string; parameter: RefusableParameter; paths: SettingPath[] };

/** Settings of a role that a model may refuse. */
const SETTINGS: Partial<Record<RefusableParameter, keyof FormModelSettings>> = {
  top_p: 'topP',
  seed: 'seed',
  stop: 'stopSequences',
  reasoning_effort: 'reasoningEffort',
};

/**
 * Returns the settings that are set but refused by their model. A setting that a role inherits from the drafts counts only for the drafts.
 */
export function refusedSettings(settings: FormSettings, providers: readonly ProviderChoice[]): RefusedSetting[] {
  const found = new Map<string, RefusedSetting>();
  for (const { role } of rolesOf(settings)) {
    const { provider, model } = modelOf(settings, role);
    const refused = providers.find(({ name }) => name === provider)?.refused ?? [];
    for (const one of refused) {
      if (one.model !== model) continue;
      const path = pathOf(role, one.parameter);
      if (path === null || isUnset(settingAt(settings, path))) continue;
      const key = JSON.stringify([provider, model, one.parameter]);
      const before = found.get(key) ?? { model: `${provider}/${model}`, parameter: one.parameter, paths: [] };
      found.set(key, { ...before, paths: [...before.paths, path] });
    }
  }
  return [...found.values()];
}

/** Returns the empty value of a setting. */
export function emptyValueAt(path: SettingPath): null | '' {
  return /\.(stopSequences|reasoningEffort)$/.test(path) ? '' : null;
}

type Role = ReturnType<typeof rolesOf>[number]['role'];

function pathOf(role: Role, parameter: RefusableParameter): SettingPath | null {
  if (parameter === 'temperature') return role === 'generate' ? 'generator.temperature' : `temperatures.${role}`;
  const field = SETTINGS[parameter];
  return field === undefined ? null : `modelSettings.${role}.${field}`;
}

function isUnset(value: unknown): boolean {
  return value === null || value === '';
}

/** Workers are checked against the generator's model, even if they use another one. */
function modelOf({ generator, evaluatorModel, reflectionModel }: FormSettings, role: Role): ModelReference {
  const own = role === 'evaluate' ? evaluatorModel : role === 'reflect' || role === 'lesson' ? reflectionModel : null;
  return own ?? { provider: generator.provider, model: generator.model };
}
