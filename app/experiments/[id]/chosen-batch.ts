import type { ExperimentView } from '#lib/db/find-experiment.ts';

/** The id of the batch that is asked for, else of the newest that was started as one; null where there is none at all. */
export function chosenBatch({ batches }: ExperimentView, asked: string | null): string | null {
  const named = batches.find(({ id }) => id === asked);
  return (named ?? batches.find(({ isBranch }) => !isBranch) ?? batches[0])?.id ?? null;
}
