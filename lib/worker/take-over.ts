import type { AppContext } from '#lib/context/app-context.ts';
import { inTransaction } from '#lib/database/in-transaction.ts';
import { releaseQuestionsOf } from '#lib/models/paid-questions.ts';
import { freeProviderSlotsOf } from '#lib/models/provider-limits.ts';
import type { Queue } from '#lib/queue/queue.ts';
import { runsClaimedBy, type SilentProcess, strikeProcess } from '#lib/queue/silent-processes.ts';
import { releaseWorkOf } from '#lib/runs/queued-work.ts';
import { releaseDeliveriesOf } from '#lib/webhooks/webhook-deliveries.ts';

/**
 * Frees all that a process that is gone held, and sends its runs anew, in one transaction: of several processes that see it gone,
 * one does so. Answers how many runs go on; null where the process lives after all or another one was first.
 * Should it live and only be cut off, nothing is saved twice: its claims are refused once others have its runs.
 */
export function takeOver(
  { database, queue }: Pick<AppContext, 'database'> & { queue: Pick<Queue, 'sendAnew'> },
  gone: Pick<SilentProcess, 'id' | 'seenAt'>,
): Promise<number | null> {
  return inTransaction(database, async (client) => {
    const own = { pool: client };
    if (!(await strikeProcess(own, gone))) return null;
    await freeProviderSlotsOf(own, gone.id);
    await releaseDeliveriesOf(own, gone.id);
    await releaseQuestionsOf(own, gone.id);
    const runIds = new Set([...(await runsClaimedBy(own, gone.id)), ...(await releaseWorkOf(own, gone.id))]);
    await queue.sendAnew([...runIds], client);
    return runIds.size;
  });
}
