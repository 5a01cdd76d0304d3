import { z } from 'zod';
import { nameSchema, promptTextSchema } from '#lib/core/setting-parts.ts';
import type { ExperimentSettings, ModelReference } from '#lib/core/settings.ts';

/** Stands for the model in calls to a target. */
export const TARGET_MODEL = '(target)';

/** Most components of a target. */
export const MOST_COMPONENTS = 50;

/** Name of a component. It can be an object key in most languages. */
export const componentNameSchema = z.string().regex(/^[A-Za-z_][A-Za-z0-9_.-]{0,79}$/, {
  error:
    'must be made of letters, digits, dots, dashes and underscores, begin with a letter, and have at most 80 characters',
});

/** Texts of the components by name. They are sent with every call. */
export const componentTextsSchema = z
  .record(componentNameSchema, promptTextSchema)
  .refine((components) => Object.keys(components).length <= MOST_COMPONENTS, {
    error: `must hold at most ${MOST_COMPONENTS} components`,
  });

/** The app that makes outputs instead of a model. `tuned` is the component that tune mode improves. */
export const targetSettingsSchema = z.strictObject({
  name: nameSchema.describe('Name of the target.'),
  components: componentTextsSchema.default({}).describe('Texts of its components. They are sent with every call.'),
  tuned: componentNameSchema.nullable().default(null).describe('The component that tune mode improves.'),
});
export type TargetSettings = z.infer<typeof targetSettingsSchema>;

/** Label of a model or target, for example `openai / gpt-5` or `target my-app`. */
export function modelLabel({ provider, model }: ModelReference): string {
  return model === TARGET_MODEL ? `target ${provider}` : `${provider} / ${model}`;
}

/** The same in short form: `openai/gpt-5`. */
export function modelId({ provider, model }: ModelReference): string {
  return model === TARGET_MODEL ? `target ${provider}` : `${provider}/${model}`;
}

/** The model without its provider, or the name of the target. */
export function shortModel({ provider, model }: ModelReference): string {
  return model === TARGET_MODEL ? provider : model;
}

/** The model reference of calls to a target. */
export function targetReference({ name }: Pick<TargetSettings, 'name'>): ModelReference {
  return { provider: name, model: TARGET_MODEL };
}

type Checked = {
  mode: string;
  generator: { instructions: string; base: { type: string }; target: TargetSettings | null };
  prompts: { generate: string | null; revise: string | null };
};

/** Settings that cannot be combined with a target, by path. */
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
      message: 'must be empty, because it is not sent to the target. Add the text as a component of the target',
    },
    ...(['generate', 'revise'] as const).map(
      (role) =>
        prompts[role] !== null && {
          path: ['prompts', role],
          message: 'must be null, because the target uses its own prompts. Add the text as a component of the target',
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

/** The text that tune mode improves: the prompt, or a component of the target. Null if there is none. */
export function textToTune({ generator, prompts }: Pick<ExperimentSettings, 'generator' | 'prompts'>): string | null {
  const { target } = generator;
  if (target === null) return prompts.generate;
  return target.tuned === null ? null : (target.components[target.tuned] ?? null);
}

/** The target with a different text for its tuned component. */
export function withTuned(target: TargetSettings, text: string): TargetSettings {
  if (target.tuned === null) throw new Error(`no component of the target ${target.name} is tuned`);
  return { ...target, components: { ...target.components, [target.tuned]: text } };
}
