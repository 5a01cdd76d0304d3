import { z } from 'zod';
import { nameSchema, promptTextSchema } from '#lib/core/setting-parts.ts';
import type { ExperimentSettings, ModelReference } from '#lib/core/settings.ts';

/** What calls of a target are stored under, where those of models name the model. */
export const TARGET_MODEL = '(target)';

/** Texts that one target may expose. */
export const MOST_COMPONENTS = 50;

/** What a text of a target is called: as a field of an object in most languages. */
export const componentNameSchema = z.string().regex(/^[A-Za-z_][A-Za-z0-9_.-]{0,79}$/, {
  error:
    'must be made of letters, digits, dots, dashes and underscores, begin with a letter, and have at most 80 characters',
});

/** The named texts that an app exposes, such as its system prompt: what is sent with every call. */
export const componentTextsSchema = z
  .record(componentNameSchema, promptTextSchema)
  .refine((components) => Object.keys(components).length <= MOST_COMPONENTS, {
    error: `must hold at most ${MOST_COMPONENTS} components`,
  });

/** The app that makes outputs in place of a model. In tune mode, `tuned` is the component whose text is improved. */
export const targetSettingsSchema = z.strictObject({
  name: nameSchema.describe('Name of the target.'),
  components: componentTextsSchema.default({}).describe('Texts of its components. They are sent with every call.'),
  tuned: componentNameSchema.nullable().default(null).describe('The component that tune mode improves.'),
});
export type TargetSettings = z.infer<typeof targetSettingsSchema>;

/** What a call asks, in words: a target, or a provider's model. */
export function modelLabel({ provider, model }: ModelReference): string {
  return model === TARGET_MODEL ? `target ${provider}` : `${provider} / ${model}`;
}

/** The same as one word of a list: `provider/model`. */
export function modelId({ provider, model }: ModelReference): string {
  return model === TARGET_MODEL ? `target ${provider}` : `${provider}/${model}`;
}

/** The same without the provider. */
export function shortModel({ provider, model }: ModelReference): string {
  return model === TARGET_MODEL ? provider : model;
}

/** A target as calls name it. */
export function targetReference({ name }: Pick<TargetSettings, 'name'>): ModelReference {
  return { provider: name, model: TARGET_MODEL };
}

type Checked = {
  mode: string;
  generator: { instructions: string; base: { type: string }; target: TargetSettings | null };
  prompts: { generate: string | null; revise: string | null };
};

/** What of an experiment's settings does not go with its target, by the path of the setting. */
export function targetProblems({
  mode,
  generator,
  prompts,
}: Checked): { path: (string | number)[]; message: string }[] {
  const { target } = generator;
  if (target === null) return [];
  const refused = [
    generator.base.type !== 'single' && {
      path: ['generator', 'base'],
      message: `must be single (the target makes the outputs), got ${generator.base.type}`,
    },
    generator.instructions.trim() !== '' && {
      path: ['generator', 'instructions'],
      message: 'must be empty: the target does not get it. Make it a component of the target',
    },
    ...(['generate', 'revise'] as const).map(
      (role) =>
        prompts[role] !== null && {
          path: ['prompts', role],
          message: 'must be null: the target has prompts of its own. Make it a component of the target',
        },
    ),
    mode === 'tune' &&
      target.tuned === null && {
        path: ['generator', 'target', 'tuned'],
        message: `must name the component to tune: ${Object.keys(target.components).join(', ') || 'the target has none'}`,
      },
    target.tuned !== null &&
      !Object.hasOwn(target.components, target.tuned) && {
        path: ['generator', 'target', 'tuned'],
        message: `must be one of the components (${Object.keys(target.components).join(', ') || 'none'}), got ${target.tuned}`,
      },
  ];
  return refused.flatMap((one) => one || []);
}

/** The text that tune mode improves: a prompt, or a component of a target. Null where there is none. */
export function textToTune({ generator, prompts }: Pick<ExperimentSettings, 'generator' | 'prompts'>): string | null {
  const { target } = generator;
  if (target === null) return prompts.generate;
  return target.tuned === null ? null : (target.components[target.tuned] ?? null);
}

/** A target with another text of the component that is tuned. */
export function withTuned(target: TargetSettings, text: string): TargetSettings {
  if (target.tuned === null) throw new Error(`no component of the target ${target.name} is tuned`);
  return { ...target, components: { ...target.components, [target.tuned]: text } };
}
