import type { ExperimentSettings } from '#lib/core/settings.ts';

/** Returns the axis label of a version: attempts count from 1, versions of a revised text are v0, v1 and so on. */
export function versionLabel(version: number, mode: ExperimentSettings['mode']): string {
  return mode === 'retry' ? String(version + 1) : `v${version}`;
}

/** Returns the noun for the versions of a run. */
export function versionNoun(mode: ExperimentSettings['mode']): 'attempt' | 'version' {
  return mode === 'retry' ? 'attempt' : 'version';
}
