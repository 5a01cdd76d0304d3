import type { ExperimentView } from '#lib/experiments/queries.ts';
import { newestBatch } from './newest-batch.ts';

/** The id of the batch that is asked for, else of the newest that was started as one; null where there is none at all. */
export function chosenBatch(experiment: ExperimentView, asked: string | null): string | null {
  return (experiment.batches.find(({ id }) => id === asked) ?? newestBatch(experiment))?.id ?? null;
}
