'use server';

import { revalidatePath } from 'next/cache';
import type { Result } from '#lib/reflection/problem.ts';
import { createExperiment } from '#lib/runs/create-experiment.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { defineAction } from '#lib/team/define-action.ts';

/** Stores a new experiment from the form. */
export const saveNewExperimentAction = defineAction(
  'saveNewExperimentAction',
  { role: 'editor', audit: 'created' },
  async (actor, input: unknown): Promise<Result<{ id: string; version: number }>> => {
    const result = await createExperiment(await getWorkshop(), actor, input);
    if (result.ok) revalidatePath('/', 'layout');
    return result;
  },
);
