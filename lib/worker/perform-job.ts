import type { Database } from '#lib/database/database.ts';
import { runsWithWaitingWork } from '#lib/runs/worker-queries.ts';
import { performAblations } from './perform-ablations.ts';
import { performRescores } from './perform-rescores.ts';
import { performRetrospectives } from './perform-retrospectives.ts';
import { performRun, type WorkerContext } from './perform-run.ts';

/** What a worker does with a job: it performs the run, or what was asked for beside one that is not to be performed. */
export async function performJob(worker: WorkerContext, runId: string): Promise<void> {
  const wasPerformed = await performRun(worker, runId);
  if (wasPerformed) return;
  await performRescores(worker, runId);
  await performRetrospectives(worker, runId);
  await performAblations(worker, runId);
}

/** Which of the runs whose jobs are done are to be sent again: something was asked for beside them while they were performed. */
export function leftOver(database: Database): (runIds: string[]) => Promise<string[]> {
  return (runIds) => runsWithWaitingWork(database, runIds);
}
