import { takeRestoredFact } from '#lib/backups/stored-schedule.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import type { Database } from '#lib/database/database.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { isUnreachable } from '#lib/database/while-unreachable.ts';
import { getLog } from '#lib/log/log.ts';
import { freeProviderSlots, releaseQuestionsOf } from '#lib/models/queries.ts';
import {
  type AppProcess,
  BEAT_MS,
  beatAppProcess,
  leaveAppProcesses,
  runsClaimedBy,
  type SilentProcess,
  silentProcesses,
  strikeProcess,
} from '#lib/queue/queries.ts';
import type { Queue } from '#lib/queue/queue.ts';
import { releaseAllWork, releaseWorkOf, unfinishedRunIds } from '#lib/runs/queued-work.ts';
import { releaseAllDeliveries, releaseDeliveriesOf } from '#lib/webhooks/queries.ts';
import { runPeriodically } from './run-periodically.ts';

/**
 * Frees all that a process that is gone held, and sends its runs anew, in one transaction: of several processes that see it gone,
 * one does so. Answers how many runs go on; null where the process lives after all or another one was first.
 * Should it live and only be cut off, nothing is saved twice: its claims are refused once others have its runs.
 */
export function takeOver(
  { database, queue }: Pick<AppContext, 'database'> & { queue: Pick<Queue, 'sendAnew'> },
  gone: Pick<SilentProcess, 'id' | 'seenAt'>,
): Promise<number | null> {
  return inTransaction(database, async (transaction) => {
    if (!(await strikeProcess(transaction, gone))) return null;
    await freeProviderSlots(transaction, gone.id);
    await releaseDeliveriesOf(transaction, gone.id);
    await releaseQuestionsOf(transaction, gone.id);
    const work = await releaseWorkOf(transaction, gone.id);
    const runIds = new Set([...(await runsClaimedBy(transaction, gone.id)), ...work]);
    await queue.sendAnew([...runIds], transaction);
    return runIds.size;
  });
}

/** How often it is looked for processes that are gone, in milliseconds. */
const LOOK_MS = 1_500;

/**
 * Takes over from processes that are gone, from now on: within about three seconds from one that was killed, and after 30 s of
 * silence from one whose machine is gone. Looks only while `hasOthers`. Answers how to stop, which waits for what is under way.
 */
export function watchSilentProcesses(
  context: Pick<AppContext, 'database'> & { queue: Pick<Queue, 'sendAnew'> },
  ownId: string,
  hasOthers: (ownId: string) => Promise<boolean>,
): () => Promise<void> {
  let before: SilentProcess[] = [];
  const look = async () => {
    if (!(await hasOthers(ownId))) return;
    const silent = await silentProcesses(context.database, ownId);
    const gone = silent.filter((one) => one.isLong || before.some((other) => isSame(one, other)));
    before = silent;
    for (const process of gone) {
      const runs = await takeOver(context, process);
      if (runs !== null)
        getLog().warn(
          `process ${process.processId} on ${process.host} is gone. ${runs} of its runs continue on other processes`,
        );
    }
  };
  return runPeriodically('taking over', LOOK_MS, look, { quietWhileAway: true });
}

/** Not heard of between two looks. */
function isSame(one: SilentProcess, other: SilentProcess): boolean {
  return one.id === other.id && one.seenAt.getTime() === other.seenAt.getTime();
}

/**
 * After a restore: a backup has no queue, and what processes held that are gone is still held in it. Frees that and sends all runs
 * that are not ended, once; of several processes that start at once one does so. Answers how many runs, or null where nothing was restored.
 */
export function sendRestoredRuns({
  database,
  queue,
}: Pick<AppContext, 'database'> & { queue: Pick<Queue, 'sendAnew'> }): Promise<number | null> {
  return inTransaction(database, async (transaction) => {
    if (!(await takeRestoredFact(transaction))) return null;
    await freeProviderSlots(transaction, null);
    await releaseAllWork(transaction);
    await releaseAllDeliveries(transaction);
    const runIds = await unfinishedRunIds(transaction);
    await queue.sendAnew(runIds, transaction);
    return runIds.length;
  });
}

/**
 * Says every 5 s that this process lives and how busy it is, from now on; answers once it was said first. The answer ends it and
 * takes the process off the list.
 */
export async function startHeartbeat(database: Database, self: () => AppProcess): Promise<() => Promise<void>> {
  let underWay: Promise<void> = beatAppProcess(database, self());
  await underWay;
  const beating = setInterval(() => {
    underWay = beatAppProcess(database, self()).catch((error: unknown) => {
      // A database that is away is told of by the health check.
      if (!isUnreachable(error)) getLog().error('heartbeat', error);
    });
  }, BEAT_MS).unref();
  return async () => {
    clearInterval(beating);
    await underWay;
    await leaveAppProcesses(database, self().id);
  };
}
