import { performAblations } from './perform-ablations.ts';
import { performRescores } from './perform-rescores.ts';
import { performRetrospectives } from './perform-retrospectives.ts';
import { performRun } from './perform-run.ts';
import type { WorkerContext } from './worker-context.ts';

/** Performs a job: the run, or the queued work of a run that is not to be performed. For `freeSlot`, see `performRun`. */
export async function performJob(worker: WorkerContext, runId: string, freeSlot?: () => void): Promise<void> {
  const wasPerformed = await performRun(worker, runId, freeSlot);
  if (wasPerformed) return;
  await performRescores(worker, runId);
  await performRetrospectives(worker, runId);
  await performAblations(worker, runId);
}
