import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { TunedVersion } from '#lib/statistics/tuning-summary.ts';

/** Returns false for a version that checks rejected, and for the first prompt of a run if it comes from the library. */
export function canSaveVersion(
  version: Pick<TunedVersion, 'state'> | undefined,
  { tune }: { tune: Pick<ExperimentSettings['tune'], 'prompt'> },
): boolean {
  if (version === undefined || version.state === 'held_back') return false;
  return version.state !== 'given' || tune.prompt === null;
}
