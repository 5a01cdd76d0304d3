import type { Database } from '#lib/db/database.ts';
import { runsWithWaitingRescores } from '#lib/db/rescores.ts';
import { performRescores } from './perform-rescores.ts';
import { type Bench, performRun } from './perform-run.ts';

/** What a worker does with a job: it performs the run, or makes the re-scores of one that is not to be performed. */
export async function performJob(bench: Bench, runId: string): Promise<void> {
  const wasPerformed = await performRun(bench, runId);
  if (!wasPerformed) await performRescores(bench, runId);
}

/** Which of the runs whose jobs are done are to be sent again: re-scores were asked for while they were performed. */
export function leftOver(database: Database): (runIds: string[]) => Promise<string[]> {
  return (runIds) => runsWithWaitingRescores(database, runIds);
}
