'use server';

import { revalidatePath } from 'next/cache';
import type { Result } from '#lib/reflection/problem.ts';
import { createExperiment } from '#lib/runs/create-experiment.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';

/** Stores a new experiment from the form. */
export async function saveNewExperiment(input: unknown): Promise<Result<{ id: string; version: number }>> {
  const actor = await authorize({ name: 'action saveNewExperiment', role: 'editor' });
  const result = await createExperiment(await getWorkshop(), actor, input);
  if (result.ok) revalidatePath('/', 'layout');
  return result;
}
