import type { ModelSettingsRole } from '#lib/core/model-settings.ts';
import type { FormSettings } from './form-settings.ts';

/** A role whose calls can be set, and what people call what it writes. */
export type FormRole = { role: ModelSettingsRole; label: string };

type Experiment = { mode: FormSettings['mode']; generator: { base: { type: string } } };

/** The roles that an experiment has, in the order of a run. */
export function rolesOf({ mode, generator }: Experiment): FormRole[] {
  const judges: FormRole = { role: 'evaluate', label: 'judges' };
  if (mode === 'tune') return [{ role: 'generate', label: 'answers' }, judges, { role: 'reflect', label: 'proposals' }];
  return [
    { role: 'generate', label: 'drafts' },
    ...(mode === 'revise' ? [{ role: 'revise', label: 'revisions' } as const] : []),
    judges,
    { role: 'reflect', label: 'critiques' },
    { role: 'lesson', label: 'lessons' },
    ...(generator.base.type === 'supervisor' ? [{ role: 'worker', label: 'workers' } as const] : []),
  ];
}
