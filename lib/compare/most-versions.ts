import type { ExperimentSettings } from '#lib/core/settings.ts';

/** How many versions (attempts, in retry mode) a run under these settings may make by itself. From 1. */
export function mostVersions({
  mode,
  maxAttempts,
  maxIterations,
}: Pick<ExperimentSettings, 'mode' | 'maxAttempts' | 'maxIterations'>): number {
  return mode === 'retry' ? maxAttempts : maxIterations + 1;
}
