'use server';

import { defineAction } from '#lib/auth/define-action.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { deleteDataset, splitDatasetCases, updateDataset } from '#lib/datasets/update-dataset.ts';

/** Updates the name and cases of a dataset, like `PATCH /datasets/{id}`. */
export const editDatasetAction = defineAction(
  'editDatasetAction',
  { role: 'editor', id: 'dataset', audit: 'changed', refreshes: true },
  async (actor, datasetId: string, change: unknown) => updateDataset(await getAppContext(), actor, datasetId, change),
);

/** Assigns a split to the cases that have none. */
export const splitDatasetAction = defineAction(
  'splitDatasetAction',
  { role: 'editor', id: 'dataset', audit: 'changed', refreshes: true },
  async (actor, datasetId: string, division: unknown) =>
    splitDatasetCases(await getAppContext(), actor, datasetId, division),
);

export const removeDatasetAction = defineAction(
  'removeDatasetAction',
  { role: 'editor', id: 'dataset', audit: 'deleted', refreshes: true },
  async (actor, datasetId: string) => deleteDataset(await getAppContext(), actor, datasetId),
);
