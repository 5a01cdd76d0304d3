import { baseSchema } from '#lib/core/agents/base-settings.ts';
import { criterionSchema } from '#lib/core/criterion-schema.ts';
import { type ExperimentSettings, settingsSchema } from '#lib/core/settings.ts';
import { type FormSettings, fromFormSettings } from './form-settings.ts';

/** Returns settings for a prompt preview while the form may contain errors. Invalid values are dropped or replaced by defaults. */
export function previewSettings(form: FormSettings): ExperimentSettings {
  const sent = fromFormSettings(form);
  const { mode, prompts, structuredReflection, revision, criteria } = sent;
  const readable = criteria.flatMap((criterion) => criterionSchema.safeParse(criterion).data ?? []);
  const base = baseSchema.safeParse(sent.generator.base).data ?? { type: 'single' };
  const generator = { provider: 'practice', model: 'practice-1', instructions: form.generator.instructions, base };
  const tries = [
    { mode, generator, prompts, structuredReflection, revision, criteria: readable },
    { mode, generator, prompts, structuredReflection, criteria: ANY },
  ];
  for (const settings of tries) {
    const parsed = settingsSchema.safeParse(settings);
    if (parsed.success) return parsed.data;
  }
  return settingsSchema.parse({ mode, generator: { ...generator, instructions: '' }, criteria: ANY });
}

const ANY = [{ name: 'criterion', evaluator: 'llm' }];
