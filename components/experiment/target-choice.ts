import type { TargetChoice } from '#lib/targets/schema.ts';
import type { FormSettings } from './form-settings.ts';

/** The settings with the outputs of a target. It uses its own prompts, so those in the form would not be sent. */
export function withTarget(settings: FormSettings, { name, components }: TargetChoice): FormSettings {
  const { generator, prompts } = settings;
  const target = { name, components, tuned: null };
  return {
    ...settings,
    generator: { ...generator, instructions: '', target, base: { ...generator.base, type: 'single' } },
    prompts: { ...prompts, generate: null, revise: null },
  };
}
