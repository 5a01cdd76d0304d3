'use server';

import { defineAction } from '#lib/auth/define-action.ts';
import { previewScoring } from '#lib/batches/preview-scoring.ts';
import { startBatch } from '#lib/batches/start-batch.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';

/** Starts a batch. Its first run streams text from the first call, because a user is about to watch it. */
export const startRunsAction = defineAction(
  'startRunsAction',
  { role: 'editor', id: 'experiment', limit: 'start', audit: 'started' },
  async (actor, experimentId: string, input: unknown) =>
    startBatch(await getAppContext(), actor, experimentId, input, {
      idempotencyKey: null,
      watched: true,
    }),
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
