import type { ModelSettingsRole } from '#lib/core/model-settings.ts';
import type { FormSettings } from './form-settings.ts';

/** Role with model settings, and the label of its output. */
export type FormRole = { role: ModelSettingsRole; label: string };

type Experiment = { mode: FormSettings['mode']; generator: { base: { type: string }; target: object | null } };

/** Returns the roles for which an experiment calls models, in run order. Excludes roles performed by a target. */
export function rolesOf(experiment: Experiment): FormRole[] {
  const isWrittenByTarget = experiment.generator.target !== null;
  return allRolesOf(experiment).filter(({ role }) => !isWrittenByTarget || (role !== 'generate' && role !== 'revise'));
}

function allRolesOf({ mode, generator }: Experiment): FormRole[] {
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
