import { fail, type Result } from '#lib/core/problem.ts';
import type { ExperimentOrigin } from '#lib/experiments/experiment-origin.ts';

/** Refuses to run an experiment whose runs were imported: nobody told with what models they were made. */
export function refuseImported({ name, origin }: { name: string; origin: ExperimentOrigin }): Result<never> | null {
  if (origin !== 'imported') return null;
  return fail(
    'conflict',
    `The runs of ${JSON.stringify(name)} were imported; it has no models to run with. Duplicate it, choose a model there, and run the duplicate.`,
  );
}
