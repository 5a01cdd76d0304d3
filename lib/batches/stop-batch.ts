import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { forEachAtOnce } from '#lib/runs/each-at-once.ts';
import { runsOfBatch } from '#lib/runs/runs-of-batch.ts';
import { stopRun } from '#lib/runs/stop-run.ts';

/**
 * Stops every run of a batch that has not ended, those that wait for a worker first, so that no new one begins meanwhile. Answers how
 * many it stopped.
 */
export async function stopBatch(
  context: AppContext,
  actor: Actor,
  batchId: string,
): Promise<Result<{ stopped: number }>> {
  const { database } = context;
  if ((await database.prisma.batch.findUnique({ where: { id: batchId }, select: { id: true } })) === null)
    return fail('not_found', `There is no batch ${batchId}.`);
  let stopped = 0;
  for (const status of ['queued', 'running', 'waiting'] as const) {
    const runIds = await runsOfBatch(database, batchId, [status]);
    const done = await forEachAtOnce(runIds, (runId) => stopRun(context, actor, runId));
    stopped += done.filter(({ ok }) => ok).length;
  }
  await recordChange(database.pool, actor, {
    act: 'stopped',
    subject: { kind: 'batch', id: batchId },
    change: { runs: stopped },
  });
  return succeed({ stopped });
}
