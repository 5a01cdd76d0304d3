import { modelFor } from '#lib/core/model-roles.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';

/** Provider of imported runs. No real provider may have this name, so no model can be called. */
export const IMPORTED_PROVIDER = 'imported';

/** Returns true for runs imported from another system. No limit ended them: their attempts are the recorded ones. */
export function isImportedRun({ generator }: Pick<ExperimentSettings, 'generator'>): boolean {
  return generator.provider === IMPORTED_PROVIDER;
}

/** Returns true if a model can critique runs with these settings. Imported runs have none unless a reflection model was chosen. */
export function canReflect(settings: ExperimentSettings): boolean {
  return modelFor(settings, 'reflect').provider !== IMPORTED_PROVIDER;
}

/** Returns true if a model can look back over runs with these settings. */
export function canLookBack(settings: ExperimentSettings): boolean {
  return settings.lessons.write !== 'off' && canReflect(settings);
}
