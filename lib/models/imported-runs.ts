import type { ExperimentSettings } from '#lib/core/settings.ts';

/** The provider of imported runs. No provider may have this name, so no model can be called. */
export const IMPORTED_PROVIDER = 'imported';

/** True for runs that another system made. No cap ended them: their attempts are those it recorded. */
export function isMadeElsewhere({ generator }: Pick<ExperimentSettings, 'generator'>): boolean {
  return generator.provider === IMPORTED_PROVIDER;
}
