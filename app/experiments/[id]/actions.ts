'use server';

import { revalidatePath } from 'next/cache';
import type { Result } from '#lib/reflection/problem.ts';
import { deleteExperiment } from '#lib/runs/delete-experiment.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { previewScoring, type ScoringPreview } from '#lib/runs/preview-scoring.ts';
import { resumeBatch } from '#lib/runs/resume-batch.ts';
import { startBatch } from '#lib/runs/start-batch.ts';
import { stopBatch } from '#lib/runs/stop-batch.ts';
import { updateExperiment } from '#lib/runs/update-experiment.ts';
import { authorize } from '#lib/team/authorize.ts';

/** Starts a batch that somebody is about to watch. */
export async function startRuns(
  experimentId: string,
  input: unknown,
): Promise<Result<{ batchId: string; runIds: string[] }>> {
  const actor = await authorize({ name: 'action startRuns', role: 'editor' });
  const result = await startBatch(await getWorkshop(), actor, experimentId, input, {
    idempotencyKey: null,
    watched: true,
  });
  if (result.ok) revalidatePath('/', 'layout');
  return result;
}

/** Stops every run of a batch that has not ended. */
export async function stopRuns(batchId: string): Promise<Result<{ stopped: number }>> {
  const actor = await authorize({ name: 'action stopRuns', role: 'editor' });
  const result = await stopBatch(await getWorkshop(), actor, batchId);
  revalidatePath('/', 'layout');
  return result;
}

/** Lets the failed and stopped runs of a batch go on. */
export async function resumeRuns(batchId: string): Promise<Result<{ resumed: number }>> {
  const actor = await authorize({ name: 'action resumeRuns', role: 'editor' });
  const result = await resumeBatch(await getWorkshop(), actor, batchId);
  revalidatePath('/', 'layout');
  return result;
}

/** What weights and thresholds that are being edited would make of the stored scores. Calls and stores nothing. */
export async function previewScores(experimentId: string, scoring: unknown): Promise<Result<ScoringPreview | null>> {
  await authorize({ name: 'action previewScores', role: 'editor' });
  return previewScoring(await getWorkshop(), experimentId, scoring);
}

/** Stores changed settings as a new version. */
export async function saveChangedExperiment(
  experimentId: string,
  input: unknown,
): Promise<Result<{ id: string; version: number }>> {
  const actor = await authorize({ name: 'action saveChangedExperiment', role: 'editor' });
  const result = await updateExperiment(await getWorkshop(), actor, experimentId, input);
  if (result.ok) revalidatePath('/', 'layout');
  return result;
}

/** Deletes an experiment with everything that hangs on it. */
export async function removeExperiment(experimentId: string): Promise<Result<unknown>> {
  const actor = await authorize({ name: 'action removeExperiment', role: 'editor' });
  const result = await deleteExperiment(await getWorkshop(), actor, experimentId);
  if (result.ok) revalidatePath('/', 'layout');
  return result;
}
