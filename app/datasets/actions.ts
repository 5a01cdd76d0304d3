'use server';

import { revalidatePath } from 'next/cache';
import type { Result } from '#lib/reflection/problem.ts';
import { type ChangedDataset, changeDataset } from '#lib/runs/datasets/change-dataset.ts';
import { type DividedDataset, divideDataset } from '#lib/runs/datasets/divide-dataset.ts';
import { deleteDataset } from '#lib/runs/delete-dataset.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';

/** Changes name and cases of a dataset, as `PATCH /datasets/{id}` does. */
export async function editDataset(datasetId: string, change: unknown): Promise<Result<ChangedDataset>> {
  const actor = await authorize({ name: 'action editDataset', role: 'editor' });
  const result = await changeDataset(await getWorkshop(), actor, datasetId, change);
  if (result.ok) revalidatePath('/', 'layout');
  return result;
}

/** Divides the cases that are on no side yet. */
export async function splitDataset(datasetId: string, division: unknown): Promise<Result<DividedDataset>> {
  const actor = await authorize({ name: 'action splitDataset', role: 'editor' });
  const result = await divideDataset(await getWorkshop(), actor, datasetId, division);
  if (result.ok) revalidatePath('/', 'layout');
  return result;
}

export async function removeDataset(datasetId: string): Promise<Result<unknown>> {
  const actor = await authorize({ name: 'action removeDataset', role: 'editor' });
  const result = await deleteDataset(await getWorkshop(), actor, datasetId);
  if (result.ok) revalidatePath('/', 'layout');
  return result;
}
