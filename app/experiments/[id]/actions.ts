'use server';

import { defineAction } from '#lib/auth/define-action.ts';
import { previewScoring } from '#lib/batches/preview-scoring.ts';
import { resumeBatch, stopBatch } from '#lib/batches/resume-batch.ts';
import { startBatch } from '#lib/batches/start-batch.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { deleteExperiment } from '#lib/experiments/delete-experiment.ts';
import { updateExperiment } from '#lib/experiments/update-experiment.ts';

/** Starts a batch. Its first run streams text from the first call, because a user is about to watch it. */
export const startRunsAction = defineAction(
  'startRunsAction',
  { role: 'editor', id: 'experiment', limit: 'start', audit: 'started', refreshes: true },
  async (actor, experimentId: string, input: unknown) =>
    startBatch(await getAppContext(), actor, experimentId, input, {
      idempotencyKey: null,
      watched: true,
    }),
);

/** Stops all runs of a batch that have not ended. */
export const stopRunsAction = defineAction(
  'stopRunsAction',
  { role: 'editor', id: 'batch', audit: ['stopped', 'decided'], refreshes: 'always' },
  async (actor, batchId: string) => stopBatch(await getAppContext(), actor, batchId),
);

/** Resumes the failed and stopped runs of a batch. */
export const resumeRunsAction = defineAction(
  'resumeRunsAction',
  { role: 'editor', id: 'batch', limit: 'start', audit: 'resumed', refreshes: 'always' },
  async (actor, batchId: string) => resumeBatch(await getAppContext(), actor, batchId),
);

/** Recomputes stored scores with weights and thresholds that are being edited. Makes no model calls and stores nothing. */
export const previewScoresAction = defineAction(
  'previewScoresAction',
  {
    role: 'editor',
    id: 'experiment',
    limit: 'start',
    audit: { none: 'only looks: calls of models it may make are in the spend' },
  },
  async (_actor, experimentId: string, scoring: unknown) =>
    previewScoring(await getAppContext(), experimentId, scoring),
);

/** Saves changed settings as a new version. */
export const saveChangedExperimentAction = defineAction(
  'saveChangedExperimentAction',
  { role: 'editor', id: 'experiment', audit: 'changed', refreshes: true },
  async (actor, experimentId: string, input: unknown) =>
    updateExperiment(await getAppContext(), actor, experimentId, input),
);

/** Deletes an experiment with all its versions, batches and runs. */
export const removeExperimentAction = defineAction(
  'removeExperimentAction',
  { role: 'editor', id: 'experiment', audit: 'deleted', refreshes: true },
  async (actor, experimentId: string) => deleteExperiment(await getAppContext(), actor, experimentId),
);
