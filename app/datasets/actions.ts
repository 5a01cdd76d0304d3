'use server';

import { defineAction } from '#lib/auth/define-action.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { Result } from '#lib/core/problem.ts';
import { deleteDataset } from '#lib/datasets/delete-dataset.ts';
import type { ChangedDataset, DividedDataset } from '#lib/datasets/schema.ts';
import { splitDatasetCases } from '#lib/datasets/split-dataset.ts';
import { updateDataset } from '#lib/datasets/update-dataset.ts';
import { refreshPages } from '../refresh-pages.ts';

/** Changes name and cases of a dataset, as `PATCH /datasets/{id}` does. */
export const editDatasetAction = defineAction(
  'editDatasetAction',
  { role: 'editor', id: 'dataset', audit: 'changed' },
  async (actor, datasetId: string, change: unknown): Promise<Result<ChangedDataset>> =>
    refreshPages(await updateDataset(await getAppContext(), actor, datasetId, change)),
);

/** Divides the cases that are on no side yet. */
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
