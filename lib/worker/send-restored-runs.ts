import { takeRestoredFact } from '#lib/backups/restore-marker.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { inTransaction } from '#lib/database/in-transaction.ts';
import { freeAllProviderSlots } from '#lib/models/provider-limits.ts';
import type { Queue } from '#lib/queue/queue.ts';
import { releaseAllWork } from '#lib/runs/queued-work.ts';
import { unfinishedRunIds } from '#lib/runs/unfinished-runs.ts';
import { releaseAllDeliveries } from '#lib/webhooks/webhook-deliveries.ts';

/**
 * After a restore: a backup has no queue, and what processes held that are gone is still held in it. Frees that and sends all runs
 * that are not ended, once; of several processes that start at once one does so. Answers how many runs, or null where nothing was restored.
 */
export function sendRestoredRuns({
  database,
  queue,
}: Pick<AppContext, 'database'> & { queue: Pick<Queue, 'sendAnew'> }): Promise<number | null> {
  return inTransaction(database, async (client) => {
    const own = { pool: client };
    if (!(await takeRestoredFact(client))) return null;
    await freeAllProviderSlots(own);
    await releaseAllWork(own);
    await releaseAllDeliveries(own);
    const runIds = await unfinishedRunIds(own);
    await queue.sendAnew(runIds, client);
    return runIds.length;
  });
}
