import { releaseWorkOf } from '#lib/db/held-work.ts';
import { inTransaction } from '#lib/db/in-transaction.ts';
import { releaseQuestionsOf } from '#lib/db/paid-questions.ts';
import { freeProviderSlotsOf } from '#lib/db/provider-limits.ts';
import { runsClaimedBy, type SilentProcess, strikeProcess } from '#lib/db/silent-processes.ts';
import { releaseDeliveriesOf } from '#lib/db/webhook-deliveries.ts';
import type { Queue } from '../queue.ts';
import type { Workshop } from '../workshop.ts';

/**
 * Frees all that a process that is gone held, and sends its runs anew, in one transaction: of several processes that see it gone,
 * one does so. Answers how many runs go on; null where the process lives after all or another one was first.
 * Should it live and only be cut off, nothing is saved twice: its claims are refused once others have its runs.
 */
export function takeOver(
  { database, queue }: Pick<Workshop, 'database'> & { queue: Pick<Queue, 'sendAnew'> },
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
