import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { TunedVersion } from '#lib/statistics/tuning-summary.ts';

/** False for a version that checks rejected, and for the first prompt of a run if it is a version of the library already. */
export function canSaveVersion(
  version: Pick<TunedVersion, 'state'> | undefined,
  { tune }: { tune: Pick<ExperimentSettings['tune'], 'prompt'> },
): boolean {
  if (version === undefined || version.state === 'held_back') return false;
  return version.state !== 'given' || tune.prompt === null;
}
