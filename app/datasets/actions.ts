'use server';

import { defineAction } from '#lib/auth/define-action.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { Result } from '#lib/core/problem.ts';
import type { ChangedDataset, DividedDataset } from '#lib/datasets/schema.ts';
import { deleteDataset, splitDatasetCases, updateDataset } from '#lib/datasets/update-dataset.ts';
import { refreshPages } from '../refresh-pages.ts';

/** Updates the name and cases of a dataset, like `PATCH /datasets/{id}`. */
export const editDatasetAction = defineAction(
  'editDatasetAction',
  { role: 'editor', id: 'dataset', audit: 'changed' },
  async (actor, datasetId: string, change: unknown): Promise<Result<ChangedDataset>> =>
    refreshPages(await updateDataset(await getAppContext(), actor, datasetId, change)),
);

/** Assigns a split to the cases that have none. */
export const splitDatasetAction = defineAction(
  'splitDatasetAction',
  { role: 'editor', id: 'dataset', audit: 'changed' },
  async (actor, datasetId: string, division: unknown): Promise<Result<DividedDataset>> =>
    refreshPages(await splitDatasetCases(await getAppContext(), actor, datasetId, division)),
);

export const removeDatasetAction = defineAction(
  'removeDatasetAction',
  { role: 'editor', id: 'dataset', audit: 'deleted' },
  async (actor, datasetId: string): Promise<Result<unknown>> =>
    refreshPages(await deleteDataset(await getAppContext(), actor, datasetId)),
);
