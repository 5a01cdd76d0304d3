import { z } from 'zod';
import type { SettingProblem } from '#lib/core/agents/base-settings.ts';
import { areUnique, nameSchema, promptTextSchema } from '#lib/core/setting-parts.ts';
import { hasComponentLine, tunedNames } from './component-texts.ts';

/** Maximum number of components of a target. */
export const MAX_COMPONENTS = 50;

/** Name of a component. A valid object key in most languages. */
export const componentNameSchema = z.string().regex(/^[A-Za-z_][A-Za-z0-9_.-]{0,79}$/, {
  error:
    'must be made of letters, digits, dots, dashes and underscores, begin with a letter, and have at most 80 characters',
});

/** Texts of the components by name, sent with every call. */
export const componentTextsSchema = z
  .record(componentNameSchema, promptTextSchema)
  .refine((components) => Object.keys(components).length <= MAX_COMPONENTS, {
    error: `must contain at most ${MAX_COMPONENTS} components`,
  });

const MAX_TUNED_COMPONENTS = 20;

/** The app that makes outputs instead of a model. `tuned`: the component or components that tune mode improves. */
export const targetSettingsSchema = z.strictObject({
  name: nameSchema.describe('Name of the target.'),
  components: componentTextsSchema.default({}).describe('Texts of its components. They are sent with every call.'),
  tuned: z
    .union([
      componentNameSchema,
      z
        .array(componentNameSchema)
        .min(1, { error: 'must name at least one component' })
        .max(MAX_TUNED_COMPONENTS, { error: `must name at most ${MAX_TUNED_COMPONENTS} components` })
        .refine(areUnique, { error: 'must not name a component twice' }),
    ])
    .nullable()
    .default(null)
    .describe('The component that tune mode improves, or a list of several.'),
});
export type TargetSettings = z.infer<typeof targetSettingsSchema>;

type Checked = {
  mode: string;
  generator: { instructions: string; base: { type: string }; target: TargetSettings | null };
  prompts: { generate: string | null; revise: string | null };
};

/** Returns the settings that cannot be combined with a target. */
export function targetProblems({ mode, generator, prompts }: Checked): SettingProblem[] {
  const { target, base, instructions } = generator;
  if (target === null) return [];
  const problems: SettingProblem[] = [];
  const refuse = (path: string[], message: string) => problems.push({ path, message });
  if (base.type !== 'single')
    refuse(['generator', 'base'], `must be single (the target makes the outputs), got ${base.type}`);
  if (instructions.trim() !== '')
    refuse(
      ['generator', 'instructions'],
      'must be empty, because it is not sent to the target. Add the text as a component of the target',
    );
  for (const role of ['generate', 'revise'] as const)
    if (prompts[role] !== null)
      refuse(
        ['prompts', role],
        'must be null, because the target uses its own prompts. Add the text as a component of the target',
      );
  const names = Object.keys(target.components).join(', ');
  const tuned = tunedNames(target);
  const unknown = tuned.filter((name) => !Object.hasOwn(target.components, name));
  if (mode === 'tune' && target.tuned === null)
    refuse(['generator', 'target', 'tuned'], `must name the component to tune: ${names || 'the target has none'}`);
  for (const name of unknown)
    refuse(['generator', 'target', 'tuned'], `must be one of the components (${names || 'none'}), got ${name}`);
  for (const name of tuned.length > 1 ? tuned : [])
    if (hasComponentLine(target.components[name] ?? ''))
      refuse(
        ['generator', 'target', 'components', name],
        'must not hold a line such as {{component "name"}}, which separates components that are tuned together',
      );
  return problems;
}
