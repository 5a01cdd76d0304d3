import type { ExperimentView } from '#lib/experiments/queries.ts';

/** The newest batch that was started as one, else the newest at all; null where nothing was run yet. */
export function newestBatch({ batches }: Pick<ExperimentView, 'batches'>) {
  return batches.find(({ isBranch }) => !isBranch) ?? batches[0] ?? null;
}
