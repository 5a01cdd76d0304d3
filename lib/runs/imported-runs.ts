import type { ExperimentSettings } from '#lib/core/settings.ts';

/** The provider that the models of imported runs stand under: there is none of this name, so nothing can be asked of it. */
export const IMPORTED_PROVIDER = 'imported';

/** True for runs that another system made. No cap ended them: their attempts are those it recorded. */
export function isMadeElsewhere({ generator }: Pick<ExperimentSettings, 'generator'>): boolean {
  return generator.provider === IMPORTED_PROVIDER;
}
