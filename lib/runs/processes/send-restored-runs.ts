import { releaseAllWork } from '#lib/db/held-work.ts';
import { inTransaction } from '#lib/db/in-transaction.ts';
import { freeAllProviderSlots } from '#lib/db/provider-limits.ts';
import { takeRestoredFact } from '#lib/db/restored-fact.ts';
import { unfinishedRunIds } from '#lib/db/unfinished-runs.ts';
import { releaseAllDeliveries } from '#lib/db/webhook-deliveries.ts';
import type { Queue } from '../queue.ts';
import type { Workshop } from '../workshop.ts';

/**
 * After a restore: a backup has no queue, and what processes held that are gone is still held in it. Frees that and sends all runs
 * that are not ended, once; of several processes that start at once one does so. Answers how many runs, or null where nothing was restored.
 */
export function sendRestoredRuns({
  database,
  queue,
}: Pick<Workshop, 'database'> & { queue: Pick<Queue, 'sendAnew'> }): Promise<number | null> {
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
