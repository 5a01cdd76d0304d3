'use server';

import { defineAction } from '#lib/auth/define-action.ts';
import { startNewExperiment } from '#lib/batches/start-batch.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { readNewExperiment } from '#lib/experiments/create-experiment.ts';
import { removeView, saveView } from '#lib/views/saved-views.ts';

/** Saves a new experiment from the form and starts it with the cases in the form. */
export const startNewExperimentAction = defineAction(
  'startNewExperimentAction',
  { role: 'editor', limit: 'start', audit: ['created', 'started'] },
  async (actor, input: unknown) => startNewExperiment(await getAppContext(), actor, input),
);

/** Validates the form of a new experiment before its cases are stored. Stores nothing. */
export const checkNewExperimentAction = defineAction(
  'checkNewExperimentAction',
  { role: 'editor', audit: { none: 'only looks' } },
  async (_actor, input: unknown): Promise<Result<null>> => {
    const read = await readNewExperiment(await getAppContext(), input);
    return read.ok ? succeed(null) : read;
  },
);

/** Saves a filtered list as a named view of the current user. */
export const keepViewAction = defineAction(
  'keepViewAction',
  { role: 'reviewer', audit: { none: 'one’s own list of filters' } },
  async (actor, input: unknown) => saveView(await getAppContext(), actor, input),
);

/** Deletes a saved view of the current user. */
export const removeKeptViewAction = defineAction(
  'removeKeptViewAction',
  { role: 'reviewer', id: 'view', audit: { none: 'one’s own list of filters' } },
  async (actor, id: string) => removeView(await getAppContext(), actor, id),
);
