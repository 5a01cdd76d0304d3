'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { fail, type Result } from '#lib/reflection/problem.ts';
import { createDatasetFromText } from '#lib/runs/create-dataset-from-text.ts';
import { deleteDataset } from '#lib/runs/delete-dataset.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';

const pastedSchema = z.strictObject({ name: z.string(), format: z.enum(['jsonl', 'csv']), text: z.string() });

/** Stores a pasted dataset. */
export async function importDataset(input: unknown): Promise<Result<{ id: string; caseCount: number }>> {
  const actor = await authorize({ name: 'action importDataset', role: 'editor' });
  const pasted = pastedSchema.safeParse(input);
  if (!pasted.success) return fail('invalid', 'A dataset needs a name, a format (jsonl or csv) and its text.');
  const result = await createDatasetFromText(await getWorkshop(), actor, pasted.data);
  if (result.ok) revalidatePath('/', 'layout');
  return result;
}

export async function removeDataset(datasetId: string): Promise<Result<unknown>> {
  const actor = await authorize({ name: 'action removeDataset', role: 'editor' });
  const result = await deleteDataset(await getWorkshop(), actor, datasetId);
  if (result.ok) revalidatePath('/', 'layout');
  return result;
}
