'use server';

import { revalidatePath } from 'next/cache';
import { defineAction } from '#lib/auth/define-action.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { Result } from '#lib/core/problem.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';

/** Stores a new experiment from the form. */
export const saveNewExperimentAction = defineAction(
  'saveNewExperimentAction',
  { role: 'editor', audit: 'created' },
  async (actor, input: unknown): Promise<Result<{ id: string; version: number }>> => {
    const result = await createExperiment(await getAppContext(), actor, input);
    if (result.ok) revalidatePath('/', 'layout');
    return result;
  },
);
