'use server';

import { revalidatePath } from 'next/cache';
import { defineAction } from '#lib/auth/define-action.ts';
import { startBatch } from '#lib/batches/start-batch.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';

/** Starts a run of an experiment that somebody is about to watch. */
export const runLiveAction = defineAction(
  'runLiveAction',
  { role: 'editor', id: 'experiment', limit: 'start', audit: 'started' },
  async (actor, experimentId: string, input: string): Promise<Result<{ runId: string }>> => {
    const started = await startBatch(
      await getAppContext(),
      actor,
      experimentId,
      { input },
      { idempotencyKey: null, watched: true },
    );
    if (!started.ok) return started;
    revalidatePath('/', 'layout');
    const runId = started.value.runIds[0];
    return runId === undefined ? fail('unavailable', 'No run was made.') : succeed({ runId });
  },
);
