import { clearRestoredFlag } from '#lib/backups/backup-schedule.ts';
import type { DatabaseContext } from '#lib/context/app-context.ts';
import type { Database } from '#lib/database/database.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { getLog } from '#lib/log/log.ts';
import { freeProviderSlots, releaseModelRequestsOf } from '#lib/models/queries.ts';
import { detectGaps } from '#lib/queue/detect-gaps.ts';
import {
  type AppProcess,
  HEARTBEAT_INTERVAL_MS,
  recordHeartbeat,
  removeAppProcess,
  removeSilentProcess,
  runsClaimedBy,
  type SilentProcess,
  silentProcesses,
} from '#lib/queue/queries.ts';
import type { Queue } from '#lib/queue/queue.ts';
import { releaseAllWork, releaseWorkOf, unfinishedRunIds } from '#lib/runs/queued-work.ts';
import { releaseAllDeliveries, releaseDeliveriesOf } from '#lib/webhooks/queries.ts';
import { runPeriodically } from './run-periodically.ts';

/**
 * Releases everything that a dead process held and queues its runs again, in one transaction. If several processes detect the death, only
 * one does this. Returns the number of queued runs, or null if the process is alive or another one was first. If the process is alive but
 * disconnected, nothing is saved twice, because its claims are refused once others have its runs.
 */
export function takeOver(
  { database, queue }: DatabaseContext & { queue: Pick<Queue, 'sendAnew'> },
  deadProcess: Pick<SilentProcess, 'id' | 'seenAt'>,
): Promise<number | null> {
  return inTransaction(database, async (transaction) => {
    if (!(await removeSilentProcess(transaction, deadProcess))) return null;
    await freeProviderSlots(transaction, deadProcess.id);
    await releaseDeliveriesOf(transaction, deadProcess.id);
    await releaseModelRequestsOf(transaction, deadProcess.id);
    const work = await releaseWorkOf(transaction, deadProcess.id);
    const runIds = new Set([...(await runsClaimedBy(transaction, deadProcess.id)), ...work]);
    await queue.sendAnew([...runIds], transaction);
    return runIds.size;
  });
}

/** Interval of checks for dead processes, in milliseconds. */
const LOOK_MS = 1_500;

/**
 * Starts taking over from dead processes: within about three seconds if a process was killed, and after 30 s without a heartbeat if its
 * machine is gone. Waits longer if this process could not reach the database either. Only checks while `hasOthers`. Returns a function
 * that stops this and waits for work in progress.
 */
export function watchSilentProcesses(
  context: DatabaseContext & { queue: Pick<Queue, 'sendAnew'> },
  ownId: string,
  hasOthers: (ownId: string) => Promise<boolean>,
): () => Promise<void> {
  let before: SilentProcess[] = [];
  const isAfterGap = detectGaps();
  const look = async () => {
    const silent = (await hasOthers(ownId)) ? await silentProcesses(context.database, ownId) : [];
    if (isAfterGap(LOOK_MS)) return;
    const dead = silent.filter((one) => one.isLong || before.some((other) => isSame(one, other)));
    before = silent;
    for (const process of dead) {
      const runs = await takeOver(context, process);
      if (runs !== null)
        getLog().warn(
          `process ${process.processId} on ${process.host} has stopped responding. ${runs} of its runs continue on other processes`,
        );
    }
  };
  return runPeriodically('taking over', LOOK_MS, look);
}

/** Returns true if no heartbeat arrived between two checks. */
function isSame(one: SilentProcess, other: SilentProcess): boolean {
  return one.id === other.id && one.seenAt.getTime() === other.seenAt.getTime();
}

/**
 * Prepares a restored database. A backup has no queue and still contains the leases of dead processes. Releases those and queues all
 * unfinished runs, once. If several processes start at the same time, only one does this. Returns the number of runs, or null if nothing
 * was restored.
 */
export function sendRestoredRuns({
  database,
  queue,
}: DatabaseContext & { queue: Pick<Queue, 'sendAnew'> }): Promise<number | null> {
  return inTransaction(database, async (transaction) => {
    if (!(await clearRestoredFlag(transaction))) return null;
    await freeProviderSlots(transaction, null);
    await releaseAllWork(transaction);
    await releaseAllDeliveries(transaction);
    const runIds = await unfinishedRunIds(transaction);
    await queue.sendAnew(runIds, transaction);
    return runIds.length;
  });
}

/**
 * Starts recording a heartbeat with the load of this process every 5 s. Resolves after the first one. The returned function stops it and
 * removes the process from the list.
 */
export async function startHeartbeat(database: Database, self: () => AppProcess): Promise<() => Promise<void>> {
  let underWay: Promise<void> = recordHeartbeat(database, self());
  await underWay;
  const beating = setInterval(() => {
    underWay = recordHeartbeat(database, self()).catch((error: unknown) => getLog().error('heartbeat', error));
  }, HEARTBEAT_INTERVAL_MS).unref();
  return async () => {
    clearInterval(beating);
    await underWay;
    await removeAppProcess(database, self().id);
  };
}
