import { listRuns } from '#lib/db/list-runs.ts';
import { type Result, succeed } from '#lib/reflection/problem.ts';
import type { Actor } from '#lib/team/authorize.ts';
import { stopRun } from './stop-run.ts';
import type { Workshop } from './workshop.ts';

const PAGE = 200;

/** Stops every run of a batch that has not ended, those that wait for a worker first, so that no new one begins meanwhile. */
export async function stopBatch(
  workshop: Workshop,
  actor: Actor,
  batchId: string,
): Promise<Result<{ stopped: number }>> {
  let stopped = 0;
  for (const status of ['queued', 'running', 'waiting'] as const) {
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listRuns>> = await listRuns(workshop.database, {
        batchId,
        status,
        cursor,
        limit: PAGE,
      });
      for (const run of page.items) if ((await stopRun(workshop, actor, run.id)).ok) stopped += 1;
      cursor = page.nextCursor;
    } while (cursor !== null);
  }
  return succeed({ stopped });
}
