import type { TargetChoice } from '#lib/targets/schema.ts';
import type { FormSettings } from './form-settings.ts';

/** Returns the settings with a target as the generator. Clears the form's prompts that a target replaces with its own. */
export function withTarget(settings: FormSettings, { name, components }: TargetChoice): FormSettings {
  const { generator, prompts } = settings;
  const target = { name, components, tuned: null };
  return {
    ...settings,
    generator: { ...generator, instructions: '', target, base: { ...generator.base, type: 'single' } },
    prompts: { ...prompts, generate: null, revise: null },
  };
}
