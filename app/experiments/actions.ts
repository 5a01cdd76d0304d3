'use server';

import { defineAction } from '#lib/auth/define-action.ts';
import { startNewExperiment } from '#lib/batches/start-batch.ts';
import { type ControlPlan, planControl, startControl } from '#lib/batches/start-control.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { runsAtOnce } from '#lib/context/running-app.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { createExperiment, readNewExperiment } from '#lib/experiments/create-experiment.ts';
import { removeView, saveView } from '#lib/views/saved-views.ts';

/** Saves a new experiment from the form. */
export const saveNewExperimentAction = defineAction(
  'saveNewExperimentAction',
  { role: 'editor', audit: 'created', refreshes: true },
  async (actor, input: unknown) => createExperiment(await getAppContext(), actor, input),
);

/** Saves a new experiment from the form and starts it with the cases in the form. */
export const startNewExperimentAction = defineAction(
  'startNewExperimentAction',
  { role: 'editor', limit: 'start', audit: ['created', 'started'], refreshes: true },
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
  { role: 'reviewer', audit: { none: 'one’s own list of filters' }, refreshes: true },
  async (actor, input: unknown) => saveView(await getAppContext(), actor, input),
);

/** Deletes a saved view of the current user. */
export const removeKeptViewAction = defineAction(
  'removeKeptViewAction',
  { role: 'reviewer', id: 'view', audit: { none: 'one’s own list of filters' }, refreshes: true },
  async (actor, id: string) => removeView(await getAppContext(), actor, id),
);

/** Previews the runs and cost of a control for a batch. */
export const previewControlAction = defineAction(
  'previewControlAction',
  {
    role: 'editor',
    id: 'batch',
    limit: 'read',
    audit: { none: 'only looks: calls of models it may make are in the spend' },
  },
  async (_actor, batchId: string, input: unknown): Promise<Result<Pick<ControlPlan, 'budget' | 'estimate'>>> => {
    const planned = await planControl(await getAppContext(), batchId, input, runsAtOnce());
    if (!planned.ok) return planned;
    const { budget, estimate } = planned.value;
    return succeed({ budget, estimate });
  },
);

/** Starts a control for a batch. */
export const runControlAction = defineAction(
  'runControlAction',
  { role: 'editor', id: 'batch', limit: 'start', audit: 'started', refreshes: true },
  async (actor, batchId: string, input: unknown) =>
    startControl(await getAppContext(), actor, batchId, input, runsAtOnce()),
);
